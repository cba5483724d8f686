import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { Recorder, recoverRecording, repairRecording } from '../../media/recorder.ts';
import { decodeWav, WavError, wavHeader } from '../../media/wav.ts';
import { shareAt, tone } from './signals.ts';

const folder = temporaryFolder('recorder');

function channels(path: string): [Int16Array, Int16Array] {
  const [left, right] = decodeWav(readFileSync(path)).channelsSamples;
  assert.ok(left && right);
  return [left, right];
}

test('the caller is left, the agent is right, sample for sample', async () => {
  const path = join(folder, 'both.wav');
  const recorder = new Recorder({ path, sampleRateHz: 8000 });
  const caller = tone(440, 8000, 2500);
  const agent = tone(1000, 8000, 2500);
  for (let at = 0; at < caller.length; at += 160) {
    recorder.write(caller.subarray(at, at + 160), agent.subarray(at, at + 160));
  }
  recorder.write(null, null);
  const summary = await recorder.close();
  assert.deepEqual(summary, { path, samples: 20160, durationMs: 2520, droppedSamples: 0 });
  const [left, right] = channels(path);
  assert.deepEqual(left.subarray(0, 20000), caller);
  assert.deepEqual(right.subarray(0, 20000), agent);
  assert.equal(left.length, 20160);
  assert.ok(left.subarray(20000).every((sample) => sample === 0));
});

test('a recording closed before its first frame leaves no file, and the summary names none', async () => {
  const path = join(folder, 'empty.wav');
  const recorder = new Recorder({ path, sampleRateHz: 16000 });
  assert.deepEqual(await recorder.close(), { path: null, samples: 0, durationMs: 0, droppedSamples: 0 });
  assert.ok(!existsSync(path));
  // A frame after the end is not an error: the pacer may have one more turn.
  recorder.write(new Int16Array(320), null);
  assert.equal((await recorder.close()).samples, 0);
});

test('a missing folder is reported once, and the call goes on', async () => {
  const faults: string[] = [];
  const recorder = new Recorder({
    path: join(folder, 'no', 'such', 'folder.wav'),
    sampleRateHz: 8000,
    onFault: (error) => faults.push(error.code),
  });
  const frame = new Int16Array(160);
  for (let i = 0; i < 500; i++) recorder.write(frame, frame);
  const summary = await recorder.close();
  assert.deepEqual(faults, ['RECORDER_OPEN_FAILED']);
  assert.equal(summary.droppedSamples, summary.samples);
});

test('a disk that takes no audio leaves no file, and the summary names none', async () => {
  // A disk that is always full.
  const path = join(folder, 'full.wav');
  symlinkSync('/dev/full', path);
  const recorder = new Recorder({ path, sampleRateHz: 8000, onFault: () => {} });
  for (let frame = 0; frame < 60; frame++) recorder.write(new Int16Array(160), null);
  assert.deepEqual(await recorder.close(), { path: null, samples: 9_600, durationMs: 1_200, droppedSamples: 9_600 });
  assert.equal(readdirSync(folder).includes('full.wav'), false);
});

test('frames that arrive before the disk opens are bounded: the excess is dropped and silent in the file', async () => {
  const path = join(folder, 'flood.wav');
  const recorder = new Recorder({ path, sampleRateHz: 8000 });
  const frame = new Int16Array(160).fill(1000);
  // 20 s without a turn of the event loop: nothing can be written meanwhile.
  for (let i = 0; i < 1000; i++) recorder.write(frame, frame);
  const marker = new Int16Array(160).fill(2000);
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  while (size() < 44 + 8 * 32000) await new Promise((resolve) => setImmediate(resolve));
  recorder.write(marker, marker);
  const summary = await recorder.close();
  assert.equal(summary.samples, 160160);
  assert.equal(summary.droppedSamples, 12 * 8000);
  const [left] = channels(path);
  assert.equal(left.length, 160160);
  assert.equal(left[8 * 8000 - 1], 1000);
  assert.equal(left[8 * 8000], 0);
  assert.equal(left[160000], 2000);
});

test('a resumed recording continues at the given position, with silence in the gap', async () => {
  const path = join(folder, 'resumed.wav');
  const first = new Recorder({ path, sampleRateHz: 8000 });
  const frame = new Int16Array(160).fill(100);
  for (let i = 0; i < 50; i++) first.write(frame, null);
  await first.close();
  const second = new Recorder({ path, sampleRateHz: 8000, resumeAtSamples: 16000 });
  second.write(frame, frame);
  assert.equal((await second.close()).samples, 16160);
  const [left, right] = channels(path);
  assert.deepEqual([left[7999], left[8000], left[15999], left[16000], right[16159]], [100, 0, 0, 100, 100]);
});

test('what is left to another process is whole, also where that one begins before the last of it is written', async () => {
  const path = join(folder, 'left.wav');
  const [first, second] = [tone(440, 8000, 700), tone(880, 8000, 700)];
  const left = new Recorder({ path, sampleRateHz: 8000 });
  left.write(first, null);
  const written = left.leave();
  left.write(second, null);
  const next = new Recorder({ path, sampleRateHz: 8000, resumeAtSamples: 8_000 });
  next.write(second, null);
  await Promise.all([written, next.close()]);
  const [caller] = channels(path);
  assert.equal(caller.length, 8_000 + second.length);
  assert.deepEqual(caller.subarray(0, first.length), first);
  assert.ok(
    caller.subarray(first.length, 8_000).every((sample) => sample === 0),
    'nothing after it has left',
  );
  assert.deepEqual(caller.subarray(8_000), second);
});

test('one that is left before its first frame stays for the other process', async () => {
  const path = join(folder, 'left-empty.wav');
  await new Recorder({ path, sampleRateHz: 8000 }).leave();
  assert.ok(existsSync(path));
});

test('a resumed recording that had no audio and gets none leaves no file', async () => {
  const path = join(folder, 'resumed-empty.wav');
  await new Recorder({ path, sampleRateHz: 8000 }).close();
  const { path: kept } = await new Recorder({ path, sampleRateHz: 8000, resumeAtSamples: 1_600 }).close();
  assert.equal(kept, null);
  assert.equal(readdirSync(folder).includes('resumed-empty.wav'), false);
});

test('what a dead thread left is repaired, or removed where it holds no audio', async () => {
  const path = join(folder, 'left.wav');
  writeFileSync(path, Buffer.concat([wavHeader({ sampleRateHz: 8000, channels: 2 }, 0), Buffer.alloc(32_000)]));
  assert.deepEqual(await recoverRecording(path), { samples: 8_000, durationMs: 1_000 });
  for (const bytes of [Buffer.alloc(0), wavHeader({ sampleRateHz: 8000, channels: 2 }, 0)]) {
    writeFileSync(path, bytes);
    assert.equal(await recoverRecording(path), null);
    assert.equal(readdirSync(folder).includes('left.wav'), false);
  }
  assert.equal(await recoverRecording(path), null);
});

test('a process killed mid-recording leaves a playable file, repaired to its full length', async () => {
  const path = join(folder, 'killed.wav');
  const recorderUrl = pathToFileURL(join(import.meta.dirname, '../../media/recorder.ts')).href;
  const signalsUrl = pathToFileURL(join(import.meta.dirname, 'signals.ts')).href;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { Recorder } from ${JSON.stringify(recorderUrl)};
       import { tone } from ${JSON.stringify(signalsUrl)};
       import { statSync } from 'node:fs';
       const recorder = new Recorder({ path: ${JSON.stringify(path)}, sampleRateHz: 8000 });
       const caller = tone(440, 8000, 20);
       const agent = tone(1000, 8000, 20);
       for (let i = 0; i < 175; i++) recorder.write(caller, agent);
       const wait = () => statSync(${JSON.stringify(path)}, { throwIfNoEntry: false })?.size >= 44 + 3 * 32000
         ? process.stdout.write('written') : setTimeout(wait, 5);
       wait();
       setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // Playable as it is: readers go by the length of the file.
  assert.equal(channels(path)[0].length, 3 * 8000);
  assert.equal(readFileSync(path).readUInt32LE(40), 0);
  const repaired = await repairRecording(path);
  assert.deepEqual(repaired, { durationMs: 3000, samples: 24000 });
  assert.equal(readFileSync(path).readUInt32LE(40), 24000 * 4);
  const [left, right] = channels(path);
  assert.ok(shareAt(left.subarray(0, 160), 440, 8000) > 0.9);
  assert.ok(shareAt(right.subarray(0, 160), 1000, 8000) > 0.9);
  assert.deepEqual(await repairRecording(path), repaired);
});

test('repair cuts a torn block off, and refuses what is not a recording', async () => {
  const path = join(folder, 'torn.wav');
  writeFileSync(path, Buffer.concat([wavHeader({ sampleRateHz: 8000, channels: 2 }, 0), Buffer.alloc(4001)]));
  assert.deepEqual(await repairRecording(path), { durationMs: 125, samples: 1000 });
  assert.equal(readFileSync(path).length, 4044);
  truncateSync(path, 20);
  await assert.rejects(repairRecording(path), (error) => error instanceof WavError && error.code === 'WAV_TRUNCATED');
  writeFileSync(path, Buffer.alloc(400));
  await assert.rejects(repairRecording(path), (error) => error instanceof WavError && error.code === 'WAV_NOT_RIFF');
});
