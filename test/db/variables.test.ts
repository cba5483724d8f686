// Environment variables: the list is that of the documentation, and a misspelt one is named with what was meant.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { misspeltVariables, VARIABLES } from '../../db/shared/settings/variables.ts';

test('the list is that of docs/configuration.md', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );
  assert.deepEqual([...VARIABLES].sort(), documented.sort());
});

test('a misspelt variable is named with the one that was meant', () => {
  const meant = {
    OPENAI_APIKEY: 'OPENAI_API_KEY',
    STT_URL: 'STT_BASE_URL',
    TTS_BASEURL: 'TTS_BASE_URL',
    LOGLEVEL: 'LOG_LEVEL',
    API_PROT: 'API_PORT',
    MAX_CALL: 'MAX_CALLS',
    sip_port: 'SIP_PORT',
    LLM_FALLBACK_URL: 'LLM_FALLBACK_BASE_URL',
  };
  const environment = Object.fromEntries(Object.keys(meant).map((name) => [name, 'x']));
  const found = Object.fromEntries(misspeltVariables(environment).map((each) => [each.variable, each.didYouMean]));
  assert.deepEqual(found, meant);
});

test('variables of others, of ours, and empty ones are left alone', () => {
  const others = { PATH: '/bin', HOME: '/root', LANG: 'C', TTY: 'x', NODE_ENV: 'production', HOSTNAME: 'x', PORT: '1' };
  const ours = { STT: 'deepgram', DEEPGRAM_API_KEY: 'x', OPENAI_ORG_ID: 'x', AWS_REGION: 'x', SIP_PROT: '' };
  assert.deepEqual(misspeltVariables({ ...others, ...ours }), []);
});
