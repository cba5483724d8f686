// The folder itself: its files as content, and what was on the service when they were last equal.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { Failure } from '../failure.ts';
import { type Content, fieldsOf, KINDS, type Kind, type LocalFile, PARTS } from './record.ts';

const STATE = '.voicectl.json';
const BY_NUMBER = new Intl.Collator('en', { numeric: true });
const DOCUMENT_BYTES_MAX = 20 * 1024 * 1024;

/** By path: digests of the file, of what the service then had, and by name of the documents that were sent. */
export type Known = Record<string, { local: string; server: string; documents?: Record<string, string> }>;

export const digest = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('base64url');

/** The same content gives the same bytes. */
export function yamlOf(kind: Kind, content: Content): string {
  const names = [...fieldsOf(kind).map(([, name]) => name), PARTS[kind] ?? ''];
  const ordered = names.flatMap((name) => (content[name] === undefined ? [] : [[name, content[name]] as const]));
  return stringify(Object.fromEntries(ordered), { lineWidth: 0, aliasDuplicateObjects: false });
}

/** @throws {Failure} of files that are no such content, each named */
export function readFiles(folder: string): LocalFile[] {
  return KINDS.flatMap((kind) => {
    const names = namesIn(join(folder, kind)).filter((name) => /\.ya?ml$/.test(name));
    // Of two with one name the first is made first, and has its key everywhere.
    return names.map((name) => readOne(folder, kind, name)).sort((a, b) => BY_NUMBER.compare(a.key, b.key));
  });
}

function readOne(folder: string, kind: Kind, file: string): LocalFile {
  const path = `${kind}/${file}`;
  const fault = (text: string): Failure => new Failure(`${path}: ${text}`);
  let content: unknown;
  try {
    content = parse(readFileSync(join(folder, path), 'utf8'));
  } catch (error) {
    throw fault((error as Error).message.split('\n')[0] ?? 'is no YAML');
  }
  if (content === null || typeof content !== 'object' || Array.isArray(content)) throw fault('has no fields');
  const known = [...fieldsOf(kind).map(([, name]) => name), ...(PARTS[kind] === undefined ? [] : [PARTS[kind]])];
  const strange = Object.keys(content).find((name) => !known.includes(name));
  if (strange !== undefined) throw fault(`has no field ${strange}; they are ${known.join(', ')}`);
  const { name } = content as Content;
  if (typeof name !== 'string' || name.trim() === '') throw fault('needs a name');
  return { kind, key: file.replace(/\.ya?ml$/, ''), path, name, content: content as Content };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Failure(`${folder} cannot be read: ${(error as Error).message}`);
  }
}

export function writeFile(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

export const removeFile = (folder: string, path: string): void => rmSync(join(folder, path), { force: true });

/** A document that a file names: inside the folder only. @throws {Failure} */
export function readDocument(folder: string, file: string): Buffer {
  try {
    const path = realpathSync(resolve(folder, file));
    const inside = relative(realpathSync(folder), path);
    if (inside.startsWith('..') || isAbsolute(inside)) throw new Failure(`${file} is outside of the folder`);
    const bytes = readFileSync(path);
    if (bytes.length > DOCUMENT_BYTES_MAX) throw new Failure(`${file} is larger than 20 MiB`);
    return bytes;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`The document ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Paths and digests for one account of one service. It belongs to this copy of the folder, and in no repository. */
export class State {
  readonly #file: string;
  readonly #service: string;
  readonly #all: Record<string, Known>;
  readonly known: Known;

  constructor(folder: string, service: string) {
    this.#file = join(folder, STATE);
    this.#service = service;
    this.#all = readState(this.#file);
    this.known = this.#all[service] ?? {};
  }

  write(known: Known): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    const all = { ...this.#all, [this.#service]: known };
    writeFileSync(this.#file, `${JSON.stringify(all, null, 2)}\n`);
  }
}

function readState(file: string): Record<string, Known> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Known>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Failure(`${file} is no JSON any more: delete it, and pull again`);
  }
}

/** By name: what the files of a business's documents are, as they were sent or are now. */
export function documentDigests(
  folder: string,
  content: Content | undefined,
  sent: Record<string, string> | undefined,
): { documents?: Record<string, string> } {
  const named = Array.isArray(content?.documents) ? (content.documents as Content[]) : [];
  const files = named.filter(({ file }) => file !== undefined);
  if (files.length === 0) return {};
  const digests = files.map(({ name, file }) => [
    String(name),
    sent?.[String(name)] ?? digest(readDocument(folder, String(file))),
  ]);
  return { documents: Object.fromEntries(digests) };
}
