// The journal on the disk: a file for each call, one for the pulse of all and one for their engines, sealed, each
// replaced as a whole. A killed process leaves every file complete, as it was or as it became. Nothing is synchronised:
// a call does not outlive the machine, and the kernel keeps what a process has written.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openJson, sealJson } from './sealed-json.ts';

const PULSE = 'pulse';
const SUSPECT = 'suspect';
const ENGINES = 'engines';
const SUFFIX = '.call';

export class JournalFiles {
  readonly #folder: string;
  readonly #key: Buffer;

  constructor(folder: string, key: Buffer) {
    this.#folder = folder;
    this.#key = key;
  }

  /** @throws if the disk refuses */
  writeCall(callId: string, json: string): void {
    this.#write(`${callId}${SUFFIX}`, json);
  }

  writePulse(json: string): void {
    this.#write(PULSE, json);
  }

  /** The process is dying: the call that it was busy with. */
  writeSuspect(callId: string): void {
    this.#write(SUSPECT, JSON.stringify(callId));
  }

  /** The engines with which the calls are carried. @throws if the disk refuses */
  writeEngines(json: string): void {
    this.#write(ENGINES, json);
  }

  readEngines(): unknown {
    return this.#read(ENGINES);
  }

  forgetEngines(): void {
    rmSync(join(this.#folder, ENGINES), { force: true });
  }

  /** Takes the note away. */
  takeSuspect(): unknown {
    const suspect = this.#read(SUSPECT);
    rmSync(join(this.#folder, SUSPECT), { force: true });
    return suspect;
  }

  forget(callId: string): void {
    rmSync(join(this.#folder, `${callId}${SUFFIX}`), { force: true });
  }

  /** Ids of the calls that have a file. */
  calls(): string[] {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => name.slice(0, -SUFFIX.length));
  }

  /** Null if the file is missing, damaged, or sealed with another key. */
  readCall(callId: string): unknown {
    return this.#read(`${callId}${SUFFIX}`);
  }

  readPulse(): unknown {
    return this.#read(PULSE);
  }

  #write(name: string, json: string): void {
    const path = join(this.#folder, name);
    const draft = `${path}.new`;
    writeFileSync(draft, sealJson(this.#key, name, json), { mode: 0o600 });
    renameSync(draft, path);
  }

  #read(name: string): unknown {
    try {
      return openJson(this.#key, name, readFileSync(join(this.#folder, name)));
    } catch {
      return null;
    }
  }
}
