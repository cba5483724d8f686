// The engine's call to itself, over media threads that are played here: what counts as working, and what does not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callItself } from '../../engine/self-call.ts';
import { NO_STATS, type ShardCommand, type ShardEvent } from '../../engine/shard/protocol.ts';
import type { Shards } from '../../engine/shard/shards.ts';

interface Faults {
  /** The listener's socket cannot be bound. */
  openFails?: boolean;
  voiceIsSilent?: boolean;
  packets?: number;
  /** Nothing is told after the audio was opened. */
  hangs?: boolean;
}

function stage({ openFails = false, voiceIsSilent = false, packets = 60, hangs = false }: Faults) {
  const tellers = new Map<string, (event: ShardEvent) => void>();
  const sent: ShardCommand[] = [];
  let limit = (): void => undefined;
  const shards: Shards = {
    open(command, onEvent) {
      const { callId } = command;
      tellers.set(callId, onEvent);
      const isListener = callId === 'self_listener';
      if (openFails && isListener)
        return onEvent({ type: 'open-failed', callId, code: 'NO_PORTS', message: 'no port' });
      onEvent({ type: 'opened', callId, address: '0.0.0.0', port: isListener ? 4_002 : 4_000 });
    },
    send(command) {
      sent.push(command);
      const { type, callId } = command;
      const tell = tellers.get(callId);
      if (type === 'answered' && callId === 'self_speaker' && !hangs) {
        tell?.({ type: 'reply-wanted', callId, epoch: 1, cause: { kind: 'opening' }, committed: true });
      }
      if (type === 'reply-complete') {
        const text = voiceIsSilent ? '' : 'Hello, can you hear me?';
        tell?.({ type: 'reply-heard', callId, epoch: 1, text, startedAtMs: 0, interrupted: false });
      }
      if (type === 'close') {
        const stats = { ...NO_STATS, packetsReceived: packets };
        tell?.({ type: 'closed', callId, recordedMs: 0, recordingPath: null, stats });
      }
      return true;
    },
  };
  const calling = callItself({
    shards,
    voice: { voiceId: 'any', speed: 1 },
    sttDeadlineMs: 1_500,
    sttBlockMs: 60,
    after(_delayMs, action) {
      limit = action;
      return () => undefined;
    },
  });
  return { calling, sent, timeIsOver: () => limit() };
}

describe('the call to itself', () => {
  test('is well when the words were spoken and their packets have come; each end is closed', async () => {
    const { calling, sent } = stage({});
    await calling;
    const connects = sent.flatMap((command) => (command.type === 'connect' ? [command] : []));
    assert.deepEqual(
      connects.map(({ callId, audio }) => [callId, audio.remoteAddress, audio.remotePort]),
      [
        ['self_speaker', '127.0.0.1', 4_002],
        ['self_listener', '127.0.0.1', 4_000],
      ],
    );
    assert.ok(sent.filter(({ type }) => type === 'close').length >= 2);
  });

  test('fails where a socket cannot be bound, the voice is silent, or no packet comes', async () => {
    await assert.rejects(stage({ openFails: true }).calling, /no port/);
    await assert.rejects(stage({ voiceIsSilent: true }).calling, /the voice said nothing/);
    await assert.rejects(stage({ packets: 3 }).calling, /3 packets arrived/);
  });

  test('fails where nothing happens, and says what was last heard of it', async () => {
    const { calling, timeIsOver } = stage({ hangs: true });
    timeIsOver();
    await assert.rejects(calling, /nothing after 10000 ms, self_speaker last told opened/);
  });
});
