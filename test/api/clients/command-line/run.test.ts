// The command line by its table: help, faults that say what to do, completion.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../../../api/clients/command-line/commands.ts';
import { completionOf } from '../../../../api/clients/command-line/completion.ts';
import { answering, data, json } from '../typescript/answering.ts';
import { useConsole } from './console.ts';

const { run } = useConsole();
const env = { VOICECTL_URL: 'https://phone.example', VOICECTL_TOKEN: 'vcs_x' };
const none = answering(data([])).options.fetch;

test('every command has a help with its examples, which are its own', async () => {
  for (const { name, examples } of COMMANDS) {
    const { code, out } = await run([...name.split(' '), '--help'], { fetch: none });
    assert.equal(code, 0, name);
    assert.match(out, new RegExp(`usage: voicectl ${name}`));
    assert.ok(examples.length > 0 && examples.every((example) => example.includes(`voicectl ${name}`)), name);
  }
  const all = await run(['--help'], { fetch: none });
  assert.equal(all.code, 0);
  for (const { name } of COMMANDS) assert.ok(all.out.includes(`  ${name}`), name);
  const group = await run(['tests', '--help'], { fetch: none });
  assert.deepEqual([group.code, group.err], [0, '']);
  assert.match(group.out, / {2}tests run/);
  assert.doesNotMatch(group.out, / {2}calls list/);
});

test('a wrong word, option, value or a missing one is named, with the way on', async () => {
  const cases: Array<[string[], RegExp]> = [
    [[], /usage: voicectl COMMAND/],
    [['cals'], /no command "cals".*--help/],
    [['calls'], /one of: list, show/],
    [['calls', 'show'], /needs ID.*calls show --help/],
    [['calls', 'show', 'a', 'b'], /takes no "b"/],
    [['calls', 'list', '--stat', 'X'], /'--stat'.*calls list --help/],
    [['calls', 'list', '--status', 'DONE'], /one of RINGING/],
    [['calls', 'list', '--limit', 'all'], /whole number/],
    [['calls', 'list', '--since', 'yesterday'], /30m, 2h/],
    [['call', '555'], /E\.164/],
    [['calls', 'list', '--url', 'phone.example', '--token', 'x'], /begins with https/],
  ];
  for (const [args, expected] of cases) {
    const { code, err, out } = await run(args, { fetch: none, env });
    assert.deepEqual([code, out], [2, ''], args.join(' '));
    assert.match(err, expected);
    assert.doesNotMatch(err, /at .*\.ts/, 'no stack');
  }
});

test('options may stand anywhere, and --json makes faults JSON too', async () => {
  const { options } = answering(
    json(422, {
      success: false,
      error: 'Validation failed',
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'number', message: 'is none' }],
    }),
  );
  const { code, err } = await run(['--json', '--url', 'https://phone.example', 'calls', 'list'], {
    fetch: options.fetch,
    env,
  });
  assert.equal(code, 2);
  const fault = JSON.parse(err);
  assert.deepEqual(
    [fault.code, fault.status, fault.fields],
    ['VALIDATION_FAILED', 422, [{ field: 'number', message: 'is none' }]],
  );
});

test('colours are for terminals only, and words of callers are no escape sequences', async () => {
  const call = {
    ...{
      id: 'call_1',
      direction: 'inbound',
      fromNumber: '+1',
      toNumber: '+2',
      callerName: '\u001b[2J\u202eEve',
      status: 'COMPLETED',
    },
    ...{
      outcome: 'completed',
      startedAt: '2026-05-01T09:28:25.000Z',
      durationSeconds: 83,
      endReason: null,
      summary: null,
      analysis: null,
    },
    transcript: [{ speaker: 'caller', text: 'hello\u001b]0;x\u0007\r\nthere', timestamp: 61_000 }],
  };
  const { options } = answering(data(call));
  const plain = await run(['calls', 'show', 'call_1'], { fetch: options.fetch, env });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
  assert.doesNotMatch(plain.out, /[\u0000-\u0009\u000b-\u001f\u202e]/);
  assert.match(plain.out, / 1:01 {2}caller {2}hello/);
  const onTerminal = { fetch: options.fetch, env, isTerminal: true };
  assert.ok((await run(['calls', 'show', 'call_1'], onTerminal)).out.includes('\u001b[32m'));
  for (const more of [['--no-color'], ['--json']])
    assert.ok(!(await run(['calls', 'show', 'call_1', ...more], onTerminal)).out.includes('\u001b[32m'));
});

test('completion knows every command, every option and every choice', () => {
  for (const shell of ['bash', 'zsh'] as const) {
    const text = completionOf(shell, COMMANDS);
    for (const { name, options = {} } of COMMANDS) {
      for (const word of name.split(' ')) assert.ok(text.includes(word));
      for (const [option, { choices = [] }] of Object.entries(options)) {
        assert.ok(text.includes(`--${option}`), option);
        for (const choice of choices) assert.ok(text.includes(choice), choice);
      }
    }
  }
});
