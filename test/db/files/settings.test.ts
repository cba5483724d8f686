// The variables of the object store: none of them, all that it needs, and one line for each mistake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../../bench/rig/temporary-folder.ts';
import { ConfigError, readSharedConfig } from '../../../db/shared/settings/environment.ts';

const DATA_DIR = temporaryFolder('settings');
const KEYS = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
const RIGHT = { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'voice', ...KEYS };
const read = (environment: Record<string, string>) => readSharedConfig({ DATA_DIR, ...environment }).store;

test('without S3_ENDPOINT files stay in DATA_DIR', () => {
  assert.equal(read({}), null);
  assert.equal(read({ S3_ENDPOINT: '', S3_BUCKET: ' ' }), null);
});

test('what is not said has its default', () => {
  assert.deepEqual(read(RIGHT), {
    endpoint: 'https://s3.example.com',
    bucket: 'voice',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    prefix: '',
    isPathStyle: true,
  });
  const more = read({ ...RIGHT, S3_PREFIX: '/phone/eu/', S3_PATH_STYLE: '0', S3_REGION: 'eu-central-1' });
  assert.deepEqual([more?.prefix, more?.isPathStyle, more?.region], ['phone/eu/', false, 'eu-central-1']);
});

test('a mistake names its variable', () => {
  const wrong: Array<[variable: string, environment: Record<string, string>]> = [
    ['S3_ENDPOINT', { ...RIGHT, S3_ENDPOINT: 'ftp://s3.example.com' }],
    ['S3_ENDPOINT', { ...RIGHT, S3_ENDPOINT: 'https://id:secret@s3.example.com' }],
    ['S3_BUCKET', { ...RIGHT, S3_BUCKET: '' }],
    ['S3_BUCKET', { ...RIGHT, S3_BUCKET: 'a/b' }],
    ['S3_ACCESS_KEY_ID', { ...RIGHT, S3_ACCESS_KEY_ID: '' }],
    ['S3_SECRET_ACCESS_KEY', { ...RIGHT, S3_SECRET_ACCESS_KEY: '' }],
    ['S3_PREFIX', { ...RIGHT, S3_PREFIX: 'a/../b' }],
    ['S3_PREFIX', { ...RIGHT, S3_PREFIX: 'a b' }],
    ['S3_PATH_STYLE', { ...RIGHT, S3_PATH_STYLE: 'maybe' }],
    ['S3_BUCKET', { S3_BUCKET: 'voice' }],
    ['S3_SECRET_ACCESS_KEY', { S3_SECRET_ACCESS_KEY: 'secret' }],
  ];
  for (const [variable, environment] of wrong) {
    assert.throws(
      () => read(environment),
      (error) => error instanceof ConfigError && error.variable === variable && !error.message.includes('secret@'),
      variable,
    );
  }
});
