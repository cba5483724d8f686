import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WasiCommand } from '../../../models/tts/wasi.ts';

/** (module (memory (export "memory") 1) (func (export "_start") BODY)) */
function program(...body: number[]): WebAssembly.Module {
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  const exports = [2, ...name('memory'), 2, 0, ...name('_start'), 0, 0];
  return new WebAssembly.Module(
    new Uint8Array([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[0x01, 4, 1, 0x60, 0, 0],
      ...[0x03, 2, 1, 0],
      ...[0x05, 3, 1, 0, 1],
      ...[0x07, exports.length, ...exports],
      ...[0x0a, body.length + 4, 1, body.length + 2, 0, ...body, 0x0b],
    ]),
  );
}

const [UNREACHABLE, CONST, LOAD, STORE, IF, END] = [0x00, 0x41, 0x28, 0x36, 0x04, 0x0b];

test('a program that traps is an error each time', () => {
  const command = new WasiCommand(program(UNREACHABLE));
  for (let run = 0; run < 2; run++) assert.throws(() => command.run([], 10), /unreachable/);
});

test('a variable that a run has set is not set in the next', () => {
  // if (variable) trap; variable = 1
  const readsAndSets = [CONST, 0, LOAD, 2, 0, IF, 0x40, UNREACHABLE, END, CONST, 0, CONST, 1, STORE, 2, 0];
  const command = new WasiCommand(program(...readsAndSets));
  for (let run = 0; run < 3; run++) assert.equal(command.run([], 10).exitCode, 0);
});
