// A browser call from outside: the API opens a socket, the socket carries voice both ways, and an ordinary call is
// recorded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import type { Call } from '../../api/dashboard/app/api-types.ts';
import { sendInTime } from '../../engine/test-runs/caller/phone/in-time.ts';
import { renderSpeech, resampleWhole } from '../../engine/test-runs/caller/speech.ts';
import { rms } from '../../media/frame.ts';
import { decodeWav } from '../../media/wav.ts';
import { useService } from '../support/use-service.ts';

const { service, rest } = useService();

const RATE = 16_000;
const FRAME = 320;

const place = async (): Promise<{ call: Call; socketUrl: string }> => {
  const [demo] = await rest.must('GET', '/campaigns');
  const { status, body } = await rest.request('POST', '/calls/web', { campaignId: demo?.id });
  assert.equal(status, 201, body.error);
  return body.data;
};

const upgradeStatus = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('open', () => resolve(101));
    socket.on('error', () => {});
  });

test('a browser joins, asks and is answered in voice and in text', async () => {
  const { call, socketUrl } = await place();
  assert.equal(call.fromNumber, 'web');
  const socket = new WebSocket(socketUrl);
  socket.binaryType = 'nodebuffer';
  const texts: Array<{ type: string; state?: string; speaker?: string; text?: string }> = [];
  let quietFrames = 0;
  let heardFrames = 0;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return texts.push(JSON.parse(data.toString()));
    assert.equal(data.length, FRAME * 2, '20 ms of PCM16 at 16 kHz');
    const loud = rms(new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length))) > 60;
    heardFrames += loud ? 1 : 0;
    quietFrames = loud ? 0 : quietFrames + 1;
    return undefined;
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  const question = resampleWhole(await renderSpeech('What are your opening hours?', 'flite-slt'), 8_000, RATE);
  let offset = -1;
  const stopMicrophone = sendInTime(() => {
    const frame = new Int16Array(FRAME);
    if (offset >= 0) {
      frame.set(question.subarray(offset, offset + FRAME));
      offset += FRAME;
    }
    socket.send(Buffer.from(frame.buffer));
  });
  await rest.eventually('the greeting', async () => heardFrames > 50 && quietFrames > 50);
  offset = 0;
  await rest.eventually('the question in text', async () =>
    texts.some(
      (message) =>
        message.type === 'transcript' && message.speaker === 'caller' && /opening hours/.test(message.text ?? ''),
    ),
  );
  await rest.eventually('the answer', async () => texts.filter((message) => message.state === 'speaking').length >= 2);
  assert.equal(await upgradeStatus(socketUrl), 401, 'the token is taken once');
  stopMicrophone();
  socket.close();
  const ended = await rest.eventually('the end', async () => {
    const { body } = await rest.request('GET', `/calls/${call.id}`);
    return body.data.endedAt ? body.data : null;
  });
  assert.equal(ended.status, 'COMPLETED');
  assert.equal(ended.direction, 'inbound');
  const audio = await rest.bytes(`/calls/${call.id}/audio`);
  assert.equal(decodeWav(audio.body).sampleRateHz, RATE);
});

test('a wrong token and a missing call are 401 alike', async () => {
  const { socketUrl } = await place();
  assert.equal(await upgradeStatus(socketUrl.replace(/token=.*/, 'token=wrong')), 401);
  assert.equal(await upgradeStatus(socketUrl.replace(/call_[^?]+/, 'call_none')), 401);
});

test('the live stream replays what was said before, continues, and ends with the call', async () => {
  const { call, socketUrl } = await place();
  const socket = new WebSocket(socketUrl);
  await new Promise((resolve) => socket.once('open', resolve));
  const { body: live } = await rest.request('GET', '/live');
  assert.ok(live.data.some((one) => one.id === call.id));
  const token = await service.login();
  const response = await fetch(`${service.apiUrl}/api/v1/calls/${call.id}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.match(response.headers.get('content-type') ?? '', /text\/event-stream/);
  setTimeout(() => socket.close(), 3_000);
  const text = await response.text();
  assert.match(text, /event: state/);
  assert.match(text, /event: ended\ndata: .*"durationSeconds":\d/);
});
