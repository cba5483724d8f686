// The socket of a browser call whose line is lost: it is joined again, for as long as that can help.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallSocket, type Surroundings } from '../../api/dashboard/app/talk/call-socket.ts';
import { VirtualClock } from '../../bench/rig/clock.ts';

type Line = ReturnType<Surroundings['open']>;

class FakeLine {
  binaryType = 'blob' as const;
  readyState: WebSocket['readyState'] = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: unknown[] = [];
  closedByPage = false;

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  lose(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(): void {
    this.closedByPage = true;
    if (this.readyState === 0) this.lose();
  }
}

function stage() {
  const clock = new VirtualClock(0);
  const lines: FakeLine[] = [];
  const told: string[] = [];
  const socket = new CallSocket(
    'ws://engine/calls/call_1?token=secret',
    {
      onJoined: () => told.push('joined'),
      onMessage: (data) => told.push(String(data)),
      onLost: (isLost) => told.push(isLost ? 'lost' : 'back'),
      onEnd: (hasJoined) => told.push(hasJoined ? 'ended' : 'unreachable'),
    },
    {
      open: () => {
        const line = new FakeLine();
        lines.push(line);
        return line as unknown as Line;
      },
      after: (ms, fire) => clock.after(ms, fire),
      nowMs: () => clock.monotonicMs(),
    },
  );
  const last = (): FakeLine => {
    const line = lines.at(-1);
    assert.ok(line);
    return line;
  };
  return { clock, lines, told, socket, last };
}

test('a lost line is joined again at once, then several times a second, and goes on', () => {
  const { clock, lines, told, socket, last } = stage();
  last().open();
  const [first] = lines;
  last().lose();
  assert.equal(lines.length, 2);
  socket.send(new ArrayBuffer(2));
  assert.deepEqual(first?.sent, []);
  for (let seconds = 0; seconds < 4; seconds++) {
    last().lose();
    clock.advance(1_000);
  }
  assert.ok(socket.isLost);
  last().open();
  last().onmessage?.({ data: 'words' });
  socket.send(new ArrayBuffer(2));
  assert.equal(last().sent.length, 1);
  assert.deepEqual(told, ['joined', 'lost', 'back', 'words']);
  assert.equal(socket.isLost, false);
  last().lose(1012);
  assert.equal(told.at(-1), 'lost');
});

test('a call that has ended is not joined again', () => {
  const { lines, told, last } = stage();
  last().open();
  last().lose(1000);
  assert.deepEqual([told, lines.length], [['joined', 'ended'], 1]);
});

test('an engine that is slow to open the socket of a call is tried again', () => {
  const { clock, told, last } = stage();
  last().lose();
  clock.advance(1_000);
  last().lose();
  clock.advance(1_000);
  last().open();
  assert.deepEqual(told, ['joined']);
});

test('a socket that was never joined is told as unreachable, once', () => {
  const { clock, lines, told, last } = stage();
  for (let tries = 0; tries < 20; tries++) {
    last().lose();
    clock.advance(500);
  }
  assert.deepEqual(told, ['unreachable']);
  assert.ok(lines.length < 12, `${lines.length} tries`);
});

test('a try that nobody answers is followed by another, and after half a minute the call has ended', () => {
  const { clock, lines, told, last } = stage();
  last().open();
  last().lose();
  for (let seconds = 0; seconds < 40; seconds++) clock.advance(1_000);
  assert.ok(lines.length >= 9, `${lines.length} tries`);
  assert.deepEqual(told, ['joined', 'lost', 'ended']);
});

test('whoever hangs up meanwhile is not joined again', () => {
  const { clock, lines, told, socket, last } = stage();
  last().open();
  last().lose();
  last().lose();
  socket.close();
  clock.advance(10_000);
  assert.deepEqual([told, lines.length], [['joined', 'lost'], 2]);
});
