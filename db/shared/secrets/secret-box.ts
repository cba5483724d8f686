// Seals the few secrets that are needed in plain text later (a trunk's digest password, a TOTP secret) with the
// installation's own key. DATA_DIR contains the key outside the database: a copied database alone does not reveal them.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file in DATA_DIR with the key of the database's sealed values; both processes read it. */
export const SECRET_KEY_FILE = 'secret.key';

/**
 * Reads a generated secret of `bytes` bytes from `dataDir/name`, creating it (mode 0600) at first use. Two processes
 * that start together get the same one: the file is created atomically.
 */
export function installationSecret(dataDir: string, name: string, bytes = 32): Buffer {
  const path = join(dataDir, name);
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const secret = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
      if (secret.length >= bytes) return secret;
      throw new Error(`${path} is damaged: restore it from a backup, or remove it (what it sealed is then lost)`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, randomBytes(bytes).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      unlinkSync(draft);
    }
  }
  throw new Error(`${path} could neither be read nor created`);
}

/** The key of the sealed values: of the environment, else the file's. */
export const sealingKeyOf = ({ dataDir, sealingKey }: { dataDir: string; sealingKey: Buffer | null }): Buffer =>
  (sealingKey ?? installationSecret(dataDir, SECRET_KEY_FILE)).subarray(0, 32);

/** AES-256-GCM; `context` (e.g. the trunk's id) binds the box to its row. Returns `v1.` + base64url. */
export function seal(key: Buffer, context: string, plaintext: string): string {
  return `v1.${sealBytes(key, context, Buffer.from(plaintext, 'utf8')).toString('base64url')}`;
}

/** The box as bytes: nonce (12), tag (16), body. */
export function sealBytes(key: Buffer, context: string, plain: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** @throws Error when the box belongs to another key or row, or is damaged */
export function unseal(key: Buffer, context: string, box: string): string {
  return unsealBytes(key, context, Buffer.from(box.replace(/^v1\./, ''), 'base64url')).toString('utf8');
}

/** @throws Error like `unseal` */
export function unsealBytes(key: Buffer, context: string, box: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(box.subarray(12, 28));
  return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]);
}
