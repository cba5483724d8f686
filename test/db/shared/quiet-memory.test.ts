import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { QuietMemory } from '../../../db/shared/process/quiet-memory.ts';

const MIB = 1024 * 1024;

/** A process whose threads keep `kept` bytes when they collect. */
function processOf(kept: number) {
  const state = { isQuiet: true, bytes: 400 * MIB, collections: 0 };
  const memory = new QuietMemory({
    isQuiet: () => state.isQuiet,
    residentBytes: () => state.bytes,
    collectEverywhere() {
      state.collections++;
      state.bytes = Math.min(state.bytes, kept);
    },
  });
  return { state, look: () => memory.look() };
}

describe('memory while there is nothing to do', () => {
  it('is given back once after the start, when nothing was done for two looks', () => {
    const { state, look } = processOf(300 * MIB);
    state.isQuiet = false;
    look();
    state.isQuiet = true;
    look();
    assert.equal(state.collections, 0);
    for (let n = 0; n < 10; n++) look();
    assert.equal(state.collections, 1);
  });

  it('is not looked for while a call is on, and is given back after it', () => {
    const { state, look } = processOf(300 * MIB);
    for (let n = 0; n < 3; n++) look();
    state.bytes = 420 * MIB;
    state.isQuiet = false;
    for (let n = 0; n < 10; n++) look();
    assert.equal(state.collections, 1);
    state.isQuiet = true;
    for (let n = 0; n < 3; n++) look();
    assert.deepEqual([state.collections, state.bytes], [2, 300 * MIB]);
  });

  it('costs nothing again where hardly anything was added', () => {
    const { state, look } = processOf(300 * MIB);
    for (let n = 0; n < 3; n++) look();
    state.bytes += 5 * MIB;
    for (let n = 0; n < 10; n++) look();
    assert.equal(state.collections, 1);
  });

  it('comes to rest where a collection frees nothing', () => {
    const { state, look } = processOf(1_000 * MIB);
    for (let n = 0; n < 50; n++) look();
    assert.equal(state.collections, 1);
  });
});
