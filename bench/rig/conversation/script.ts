// The folder that the bench's scripted engines share with the callers: it has each call's replies and each utterance's
// words, written before they are needed, and the engines' notes on their requests.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variable that names the folder. */
export const SCRIPT_FOLDER = 'SCENARIO_FOLDER';

/** The scripted model's text for a silent caller. */
export const PROMPT = 'Are you still there?';

interface ScriptedReply {
  say: string;
  /** A tool that the model calls after this text. */
  call: string | null;
  /** The model's text after the tool's result; absent: `say` again. */
  after?: string;
}

export interface CallScript {
  replies: ScriptedReply[];
  /** Null: as in the bench's typical model. */
  firstTokenMs: number | null;
  /** Number of the call's first requests that are refused. */
  refusals: number;
  /** Makes the texts of this call different from those of others, so that no cache replaces the voice. */
  serial: number;
}

export interface ScriptedWord {
  text: string;
  /** Frames of the utterance, `to` excluded. */
  from: number;
  to: number;
}

/** One request to the scripted model. */
export interface ModelRequest {
  /** Ms since the epoch. */
  atMs: number;
  number: string;
  /** The caller's words so far, one text a turn. */
  turns: string[];
}

/** Speech rendered by the agent's voice, PCM16 at 8 kHz. */
export interface SpokenClip {
  text: string;
  samples: Int16Array;
}

export class ScriptFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    for (const folder of ['calls', 'utterances', 'speech']) mkdirSync(join(path, folder), { recursive: true });
  }

  /** Null for a call without a script. */
  readCall(number: string): CallScript | null {
    return this.#read(`calls/${number}.json`) as CallScript | null;
  }

  writeCall(number: string, script: CallScript): void {
    this.#write(`calls/${number}.json`, script);
  }

  readWords(utterance: number): ScriptedWord[] {
    return (this.#read(`utterances/${utterance}.json`) ?? []) as ScriptedWord[];
  }

  writeWords(utterance: number, words: readonly ScriptedWord[]): void {
    this.#write(`utterances/${utterance}.json`, words);
  }

  noteRequest(request: ModelRequest): void {
    appendFileSync(join(this.path, 'requests.jsonl'), `${JSON.stringify(request)}\n`);
  }

  requests(): ModelRequest[] {
    const path = join(this.path, 'requests.jsonl');
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as ModelRequest);
  }

  /** Null when this text was not rendered before. */
  readSpeech(text: string): Int16Array | null {
    const path = join(this.path, 'speech', speechFile(text));
    if (!existsSync(path)) return null;
    const bytes = readFileSync(path);
    return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  }

  writeSpeech(text: string, samples: Int16Array): void {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    writeFileSync(join(this.path, 'speech', speechFile(text)), bytes);
  }

  speech(): SpokenClip[] {
    return readdirSync(join(this.path, 'speech')).map((file) => {
      const text = Buffer.from(file, 'base64url').toString();
      return { text, samples: this.readSpeech(text) ?? new Int16Array(0) };
    });
  }

  #read(name: string): unknown {
    const path = join(this.path, name);
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
  }

  #write(name: string, value: unknown): void {
    writeFileSync(join(this.path, name), JSON.stringify(value));
  }
}

/** The text itself names its file; a clause is short enough. */
function speechFile(text: string): string {
  return Buffer.from(text.slice(0, 150)).toString('base64url');
}

/** Zero-width characters: neither spoken nor visible. */
const SILENT = ['\u200b', '\u200c', '\u200d'];

/** "Sure,": models begin many replies alike, so a voice may know it from other calls. */
const OPENING = /^\w+(?: \w+){0,2}, /;

/** The text with an unspoken number after the first letter of each clause, but in its opening. */
export function withSerial(text: string, serial: number): string {
  const mark = [...serial.toString(3)].map((digit) => SILENT[Number(digit)]).join('');
  const [opening = ''] = OPENING.exec(text) ?? [];
  return opening + text.slice(opening.length).replace(/(^|[,.!?;:] )(\w)/g, `$1$2${mark}`);
}

export function withoutSerial(text: string): string {
  return text.replace(/[\u200b-\u200d]/g, '');
}
