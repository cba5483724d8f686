// A greeting is answered as one only where the caller says nothing more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intentsOf } from '../../../../models/llm/receptionist/caller-intent.ts';

for (const text of ['hello', 'hi there', 'Hi, my name is Linda Jones.', 'good morning sam how are you']) {
  test(`"${text}" is a greeting`, () => assert.deepEqual(intentsOf(text), ['hello']));
}

for (const text of [
  'hi my name is james williams i lost my credit card can you send me a new one',
  'Hello, I would like to transfer money between my accounts.',
]) {
  test(`"${text}" is not answered as a mere greeting`, () => assert.ok(!intentsOf(text).includes('hello')));
}
