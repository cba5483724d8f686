// Ears and a voice for a language: what fits into a machine, what is never proposed, and where it is fetched.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { installModel } from '../../../models/install/install.ts';
import { kitFor } from '../../../models/install/kit.ts';
import { downloadPath, isInstalled, modelsDirOf } from '../../../models/install/local-models.ts';
import { findLocalModel } from '../../../models/install/weights.ts';

const BIG = { cores: 4, memoryMb: 8_000 };
const kit = (language: string, machine = BIG, environment = {}) =>
  kitFor(language, '/nowhere', { machine, environment });
const engines = (language: string, machine = BIG) => {
  const { ears, voice } = kit(language, machine);
  return [ears?.engine ?? null, voice?.engine ?? null];
};

test('models lie in the folder of the service: data, unless DATA_DIR names another', () => {
  assert.deepEqual([modelsDirOf({}), modelsDirOf({ DATA_DIR: '/var/voice' })], ['data/models', '/var/voice/models']);
});

test('each of the seven languages has ears and a voice, of its own before one of many', () => {
  assert.deepEqual(engines('de'), ['sherpa:kroko-de', 'sherpa:piper-thorsten-de']);
  assert.deepEqual(engines('en'), ['sherpa:kroko-en', 'sherpa:piper-libritts-en']);
  for (const language of ['it', 'nl', 'pt'])
    assert.match(engines(language).join(' '), /^sherpa:whisper-base sherpa:piper-\w+-..$/, language);
  for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']) {
    const { carries, bytes, ears, voice } = kit(language);
    assert.ok(carries !== null && carries >= 1, language);
    assert.equal(bytes, (ears?.bytes ?? 0) + (voice?.bytes ?? 0));
    assert.doesNotMatch(`${ears?.licence} ${voice?.licence}`, /no commercial/i, language);
  }
});

test('a small machine gets smaller ears, or is told that nothing fits; an unknown language has no voice', () => {
  assert.deepEqual(engines('it', { cores: 2, memoryMb: 1_200 }), ['sherpa:whisper-tiny', 'sherpa:piper-paola-it']);
  assert.deepEqual(engines('de', { cores: 1, memoryMb: 512 }), [null, null]);
  assert.equal(kit('de', { cores: 1, memoryMb: 512 }).carries, null);
  assert.deepEqual(engines('xx'), ['sherpa:whisper-base', null]);
});

test('a mirror has the paths of the publishers behind it', () => {
  const { ears } = kit('de', BIG, { MODELS_MIRROR: 'http://mirror.example/weights/' });
  const path = '/k2-fsa/sherpa-onnx/releases/download/asr-models';
  assert.match(ears?.url ?? '', new RegExp(`^http://mirror\\.example/weights${path}/.*kroko.*\\.tar\\.bz2$`));
  assert.equal(ears?.checksumUrl, `http://mirror.example/weights${path}/checksum.txt`);
});

test('an archive that was put there by hand is installed without a network', async () => {
  const model = findLocalModel('kroko-de');
  assert.ok(model);
  const folder = temporaryFolder('kit');
  mkdirSync(folder, { recursive: true });
  const archive = new URL('../../fixtures/models/whole.tar.bz2', import.meta.url).pathname;
  copyFileSync(archive, downloadPath(folder, model));
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  await installModel(
    { ...model, url: 'http://127.0.0.1:1/none', checksumUrl: 'http://127.0.0.1:1/sums', sha256 },
    folder,
  );
  assert.ok(isInstalled(folder, 'kroko-de'));
  assert.ok(readFileSync(join(folder, 'kroko-de', 'tokens.txt')));
  const { ears } = kitFor('de', folder, { machine: BIG, environment: {} });
  assert.equal(ears?.isInstalled, true);
});
