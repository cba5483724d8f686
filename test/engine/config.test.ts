// The engine's environment where it decides who is heard, and by what.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { readEngineConfig } from '../../engine/config.ts';
import { inviteLines, SipLab, sdpOf } from '../support/sip/sip-lab.ts';

function allowedBy(setting: string | null): string[] {
  return readEngineConfig(setting === null ? {} : { SIP_INBOUND_ALLOW: setting }).sipInboundAllow;
}

/** The final status that an INVITE from that address gets. */
async function statusFrom(address: string, setting: string | null): Promise<number | undefined> {
  const lab = new SipLab();
  const endpoint = await lab.endpoint('127.0.0.1', { inboundAllow: allowedBy(setting) });
  endpoint.onInvite((leg) => leg.reject(486));
  const peer = lab.peer(address, 5070);
  const target = 'sip:+15559990000@127.0.0.1:5060';
  peer.send({ address: '127.0.0.1', port: 5060 }, inviteLines(peer, target), sdpOf(address));
  await lab.run(50);
  return peer.statuses('INVITE').at(-1);
}

test('without SIP_INBOUND_ALLOW every loopback address may call, and no other', async () => {
  assert.equal(await statusFrom('127.0.0.130', null), 486);
  assert.equal(await statusFrom('10.0.0.9', null), 403);
});

test('SIP_INBOUND_ALLOW replaces the default; 127.0.0.1 itself stays allowed', async () => {
  assert.equal(await statusFrom('127.0.0.130', '127.0.0.1/32'), 403);
  assert.equal(await statusFrom('127.0.0.130', '10.0.0.0/8'), 403);
  assert.equal(await statusFrom('10.0.0.9', '10.0.0.0/8'), 486);
  assert.equal(await statusFrom('127.0.0.1', '10.0.0.0/8'), 486);
  assert.deepEqual(allowedBy('10.0.0.0/8').includes('::1/128'), true);
});

test('how long a caller waits for the first word is 8 s, or between 1 s and 30 s', () => {
  assert.equal(readEngineConfig({}).llmTimeoutMs, 8_000);
  assert.equal(readEngineConfig({ LLM_TIMEOUT_MS: '20000' }).llmTimeoutMs, 20_000);
  for (const wrong of ['999', '30001', 'soon'])
    assert.throws(() => readEngineConfig({ LLM_TIMEOUT_MS: wrong }), { variable: 'LLM_TIMEOUT_MS' });
});

test('a fallback model is set by any of its variables; its URL is checked at the start', () => {
  assert.equal(readEngineConfig({}).llmFallback, null);
  const { llmFallback } = readEngineConfig({ LLM_FALLBACK_BASE_URL: 'http://127.0.0.1:9/v1/' });
  assert.equal(llmFallback?.baseUrl, 'http://127.0.0.1:9/v1');
  assert.equal(readEngineConfig({ LLM_FALLBACK_MODEL: 'other' }).llmFallback?.model, 'other');
  const wrong = { LLM_FALLBACK_BASE_URL: 'gpu-box' };
  assert.throws(() => readEngineConfig(wrong), { variable: 'LLM_FALLBACK_BASE_URL' });
});

test('an engine that does not exist, or lacks its key, is an error at the start that names the variable', () => {
  assert.throws(() => readEngineConfig({ STT: 'whisper' }), { variable: 'STT', message: /soundswallower, .*deepgram/ });
  assert.throws(() => readEngineConfig({ TTS: 'whisper' }), { variable: 'TTS', message: /flite, .*elevenlabs/ });
  assert.throws(() => readEngineConfig({ STT: 'deepgram' }), { variable: 'STT_API_KEY', message: /DEEPGRAM_API_KEY/ });
  assert.throws(() => readEngineConfig({ TTS: 'openai' }), { variable: 'TTS_API_KEY', message: /OPENAI_API_KEY/ });
  const wrong = { STT: 'openai', STT_BASE_URL: 'gpu-box:8000' };
  assert.throws(() => readEngineConfig(wrong), { variable: 'STT_BASE_URL' });
});

test('who answers: the cascade, or a speech-to-speech model with what it needs', () => {
  assert.equal(readEngineConfig({}).speechToSpeech, null);
  assert.equal(readEngineConfig({ DIALOGUE: 'cascade' }).speechToSpeech, null);
  assert.equal(readEngineConfig({ DIALOGUE: 'module:/engine.ts' }).speechToSpeech, 'module:/engine.ts');
  const gemini = { DIALOGUE: 'gemini-live', GEMINI_API_KEY: 'key' };
  assert.equal(readEngineConfig(gemini).speechToSpeech, 'gemini-live');
  assert.throws(() => readEngineConfig({ DIALOGUE: 'gemini' }), {
    variable: 'DIALOGUE',
    message: /cascade, .*gemini-live/,
  });
  for (const [name, key] of [
    ['gemini-live', /GEMINI_API_KEY/],
    ['openai-realtime', /OPENAI_API_KEY/],
  ] as const)
    assert.throws(() => readEngineConfig({ DIALOGUE: name }), { variable: 'DIALOGUE_API_KEY', message: key });
  const base = { DIALOGUE: 'openai-realtime', DIALOGUE_BASE_URL: 'ftp://x' };
  assert.throws(() => readEngineConfig(base), { variable: 'DIALOGUE_BASE_URL' });
});

test('a compatible server needs no key; the OPENAI_ variables serve for listening and speaking too', () => {
  assert.equal(readEngineConfig({ STT: 'openai', STT_BASE_URL: 'http://127.0.0.1:9/v1' }).stt, 'openai');
  const shared = { STT: 'openai', TTS: 'openai', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  assert.equal(readEngineConfig(shared).tts, 'openai');
  assert.equal(readEngineConfig({ STT: 'deepgram', DEEPGRAM_API_KEY: 'k' }).stt, 'deepgram');
  assert.equal(readEngineConfig({}).stt, 'soundswallower');
});

test('a local model must be installed; where nothing is set, an installed one is taken', () => {
  const DATA_DIR = temporaryFolder('config');
  assert.deepEqual(
    [readEngineConfig({ DATA_DIR }).stt, readEngineConfig({ DATA_DIR }).tts],
    ['soundswallower', 'flite'],
  );
  const message = /STT.*sherpa:kroko-en is not installed: run "npm run models -- download kroko-en"/;
  assert.throws(() => readEngineConfig({ DATA_DIR, STT: 'sherpa:kroko-en' }), message);
  mkdirSync(join(DATA_DIR, 'models', 'kroko-en'), { recursive: true });
  assert.equal(readEngineConfig({ DATA_DIR, STT: 'sherpa:kroko-en' }).stt, 'sherpa:kroko-en');
  assert.equal(readEngineConfig({ DATA_DIR }).stt, 'sherpa:kroko-en');
  assert.equal(readEngineConfig({ DATA_DIR, STT: 'soundswallower' }).stt, 'soundswallower');
  assert.throws(() => readEngineConfig({ DATA_DIR, TTS: 'sherpa:kroko-en' }), /TTS.*is a recogniser, for STT/);
  assert.throws(() => readEngineConfig({ DATA_DIR, TTS: 'sherpa:kokorro' }), /did you mean kokoro\?/);
});

test('TURN_END is rules, or the model of turn ends once it is installed', () => {
  const DATA_DIR = temporaryFolder('config');
  assert.equal(readEngineConfig({ DATA_DIR }).turnEnd, 'rules');
  assert.throws(() => readEngineConfig({ DATA_DIR, TURN_END: 'smart' }), { variable: 'TURN_END' });
  const message = /TURN_END.*smart-turn is not installed: run "npm run models -- download smart-turn"/;
  assert.throws(() => readEngineConfig({ DATA_DIR, TURN_END: 'smart-turn' }), message);
  mkdirSync(join(DATA_DIR, 'models', 'smart-turn'), { recursive: true });
  assert.equal(readEngineConfig({ DATA_DIR, TURN_END: 'smart-turn' }).turnEnd, 'smart-turn');
  assert.throws(() => readEngineConfig({ DATA_DIR, STT: 'sherpa:smart-turn' }), /STT.*set TURN_END=smart-turn/);
  assert.equal(readEngineConfig({ DATA_DIR }).stt, 'soundswallower');
});

test('SIP_CODECS is a list in order of preference; a name that is none is an error', () => {
  assert.deepEqual(readEngineConfig({}).sipCodecs, ['PCMU', 'PCMA', 'G722', 'OPUS']);
  assert.deepEqual(readEngineConfig({ SIP_CODECS: 'opus, g722,PCMU,opus' }).sipCodecs, ['OPUS', 'G722', 'PCMU']);
  assert.throws(() => readEngineConfig({ SIP_CODECS: 'pcmu,g729' }), {
    variable: 'SIP_CODECS',
    message: /"G729" is not a codec/,
  });
  assert.equal(readEngineConfig({}).sipPrefersWideband, true);
  assert.equal(readEngineConfig({ SIP_ANSWER_CODEC: 'first' }).sipPrefersWideband, false);
  assert.throws(() => readEngineConfig({ SIP_ANSWER_CODEC: 'g722' }), { variable: 'SIP_ANSWER_CODEC' });
});

test('SIP over TLS needs port, certificate and key: the missing one is named', () => {
  assert.throws(() => readEngineConfig({ SIP_TLS_PORT: '5061' }), /^ConfigError: SIP_TLS_CERT: is not set/);
  assert.throws(() => readEngineConfig({ SIP_TLS_CERT: 'a.pem', SIP_TLS_KEY: 'b.pem' }), /SIP_TLS_PORT: is not set/);
  const noPem = { SIP_TLS_PORT: '5061', SIP_TLS_CERT: 'package.json', SIP_TLS_KEY: 'package.json' };
  assert.throws(() => readEngineConfig(noPem), /SIP_TLS_CERT: cannot be used with its SIP_TLS_KEY/);
});

test('TELEPHONY chooses the servers; FREESWITCH_HOST may list several, each with a port and password of its own', () => {
  assert.deepEqual(readEngineConfig({}).telephony, { kind: 'embedded' });
  const drachtio = { host: '127.0.0.1', port: 9022, secret: 'cymru' };
  assert.deepEqual(readEngineConfig({ TELEPHONY: 'drachtio' }).telephony, {
    ...{ kind: 'drachtio', drachtio },
    allowsUncheckedTls: false,
  });
  const allowed = readEngineConfig({ TELEPHONY: 'drachtio', DRACHTIO_UNCHECKED_TLS: '1' }).telephony;
  assert.equal(allowed.kind === 'drachtio' && allowed.allowsUncheckedTls, true);
  const own = { host: '127.0.0.1', port: 8021, secret: 'ClueCon' };
  const standard = { kind: 'freeswitch', drachtio, allowsUncheckedTls: false, freeswitch: [own], media: 'rtp' };
  assert.deepEqual(readEngineConfig({ TELEPHONY: 'freeswitch' }).telephony, standard);
  const forks = readEngineConfig({ TELEPHONY: 'freeswitch', FREESWITCH_MEDIA: 'fork' }).telephony;
  assert.deepEqual(forks, { ...standard, media: 'fork' });
  const FREESWITCH_HOST = '10.0.0.1, fs2:8022:a:b, [::1]:8023';
  const several = readEngineConfig({ TELEPHONY: 'freeswitch', FREESWITCH_SECRET: 's', FREESWITCH_HOST }).telephony;
  assert.deepEqual(several.kind === 'freeswitch' && several.freeswitch, [
    { host: '10.0.0.1', port: 8021, secret: 's' },
    { host: 'fs2', port: 8022, secret: 'a:b' },
    { host: '::1', port: 8023, secret: 's' },
  ]);
  const wrong = { TELEPHONY: 'freeswitch', FREESWITCH_HOST: 'a:b:c' };
  assert.throws(() => readEngineConfig(wrong), { variable: 'FREESWITCH_HOST' });
  assert.throws(() => readEngineConfig({ TELEPHONY: 'asterisk' }), { variable: 'TELEPHONY' });
});

test('a DATA_DIR that cannot be made, or is a file, is an error at once', () => {
  const file = join(temporaryFolder('data-dir'), 'file');
  writeFileSync(file, '');
  for (const DATA_DIR of ['/proc/nope', file, `${file}/below`])
    assert.throws(() => readEngineConfig({ DATA_DIR }), {
      variable: 'DATA_DIR',
      message: /cannot be created or written/,
    });
});
