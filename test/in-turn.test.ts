import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inTurn } from './in-turn.ts';

/**
 * @param kinds each a number of works, the share of one, and beside how many it begins on a busy machine (all);
 *   `end` ends a work by its name, such as `a0`
 */
function setUp(kinds: Record<string, [count: number, share: number, sure?: number]>) {
  const works = Object.entries(kinds).flatMap(([kind, [count, share, sure = Number.POSITIVE_INFINITY]]) =>
    Array.from({ length: count }, (_, index) => ({ name: `${kind}${index}`, share, sure })),
  );
  const ends = new Map<string, () => void>();
  const state = { isOver: false, rooms: 0 };
  let pass = (): void => undefined;
  const hasRoom = () => state.rooms-- > 0;
  const pause = () => new Promise<void>((resolve) => (pass = resolve));
  void inTurn(works, ({ name }) => new Promise((resolve) => ends.set(name, resolve)), hasRoom, pause).then(() => {
    state.isOver = true;
  });
  return {
    running: () => [...ends.keys()],
    isOver: () => state.isOver,
    /** A pause passes, and the machine has room for so many more. */
    async pass(rooms: number) {
      state.rooms = rooms;
      pass();
      await setImmediate();
    },
    async end(name: string) {
      ends.get(name)?.();
      ends.delete(name);
      await setImmediate();
    },
  };
}

test('as many run as their shares allow, and the next kind begins beside the last of the one before', async () => {
  const { running, end } = setUp({ a: [4, 1 / 3], b: [2, 1 / 2] });
  assert.deepEqual(running(), ['a0', 'a1', 'a2']);
  await end('a1');
  assert.deepEqual(running(), ['a0', 'a2', 'a3']);
  await end('a0');
  assert.deepEqual(running(), ['a2', 'a3'], 'a half is not free yet');
  await end('a2');
  assert.deepEqual(running(), ['a3', 'b0']);
});

test('a kind that needs the whole machine waits for all others, and nothing runs beside it', async () => {
  const { running, end, isOver } = setUp({ a: [2, 1 / 2], alone: [1, 1], b: [1, 1 / 2] });
  await end('a0');
  assert.deepEqual(running(), ['a1']);
  await end('a1');
  assert.deepEqual(running(), ['alone0']);
  await end('alone0');
  assert.deepEqual(running(), ['b0']);
  assert.equal(isOver(), false);
  await end('b0');
  assert.equal(isOver(), true);
});

test('beside few others a work begins on a busy machine, beside more only where there is room', async () => {
  const { running, pass, end } = setUp({ a: [5, 1 / 4, 2] });
  assert.deepEqual(running(), ['a0', 'a1']);
  await pass(0);
  assert.deepEqual(running(), ['a0', 'a1']);
  await pass(1);
  assert.deepEqual(running(), ['a0', 'a1', 'a2']);
  await pass(5);
  assert.deepEqual(running(), ['a0', 'a1', 'a2', 'a3'], 'no share is free');
  await end('a0');
  assert.deepEqual(running(), ['a1', 'a2', 'a3', 'a4'], 'room was left');
});

test('nothing to run is over at once', async () => {
  const { isOver } = setUp({});
  await setImmediate();
  assert.equal(isOver(), true);
});
