// Callers written in C (`phones.c`): a process that talks on hundreds of calls and notes arrivals by the kernel's
// clock. It is compiled for each run, so it needs a C compiler.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { renderSpeech } from '../../../engine/test-runs/caller/speech.ts';
import { encodeG711 } from '../../../media/g711.ts';
import { pause } from '../conversation/scenario.ts';
import type { Summary } from '../measure/statistics.ts';

const SOURCE = fileURLToPath(new URL('./phones.c', import.meta.url));
/** RMS of a quiet room, dBFS. */
const ROOM_DBFS = -55;
const ROOM_SECONDS = 20;
const RATE_HZ = 8_000;

/** Count of intervals that differ from 20 ms by at most `ms`, and by more than the previous bin. */
type Bins = Array<[ms: number, count: number]>;

/** Figures of the time between two marks. */
export interface PhoneFigures {
  /** Calls that are up now. */
  up: number;
  answered: number;
  /** 503 with `Retry-After`. */
  refused: number;
  failed: number;
  /** Ended by the other side. */
  dropped: number;
  /** Turns without an answer within 10 s. */
  silent: number;
  /** Turns over which the agent began to speak. */
  early: number;
  packets: number;
  /** Packets that arrived 20 ms or more too late. */
  late: number;
  /** From the caller's last frame of speech to the agent's first sound. */
  turnsMs: number[];
  /** From INVITE to 200. */
  answersMs: number[];
  /** Intervals of calls that are two seconds old, and of younger ones. */
  pace: Bins;
  startPace: Bins;
}

export interface PhonesOptions {
  sipAddress: string;
  sentences: readonly string[];
  voice?: string;
  lossPercent?: number;
  /** Signalling over TLS and audio as SRTP. `sipAddress` is then the port for TLS. */
  secure?: boolean;
  /** Their processor core; any if left out. */
  core?: number;
}

export class Phones {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #waiting = new Map<string, { resolve(figures: PhoneFigures): void; reject(error: Error): void }>();
  #marks = 0;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const figures = JSON.parse(line) as PhoneFigures & { mark: string };
        this.#waiting.get(figures.mark)?.resolve(figures);
        this.#waiting.delete(figures.mark);
      });
    child.stdin?.on('error', () => undefined);
    child.once('close', (code, signal) => {
      const error = new Error(`the callers ended with ${signal ?? code}`);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  /** @throws Error without a C compiler, and for `secure` without OpenSSL's headers */
  static async start(options: PhonesOptions): Promise<Phones> {
    const folder = mkdtempSync(join(tmpdir(), 'phones-'));
    const program = join(folder, 'phones');
    const [secure, needs] = options.secure
      ? [['-DSECURE', '-lssl', '-lcrypto'], "cc and OpenSSL's headers (Debian: libssl-dev)"]
      : [[], 'cc'];
    const compiled = spawnSync('cc', ['-O2', '-o', program, SOURCE, '-lm', ...secure], { encoding: 'utf8' });
    if (compiled.status !== 0)
      throw new Error(`the callers are written in C and need ${needs}: ${compiled.stderr || compiled.error?.message}`);
    const random = seededRandom(1);
    const files = [file(folder, 'room', room(RATE_HZ * ROOM_SECONDS, random))];
    for (const [index, sentence] of options.sentences.entries()) {
      const speech = await renderSpeech(sentence, options.voice ?? 'flite-slt');
      const noise = room(speech.length, random);
      files.push(
        file(
          folder,
          `clip-${index}`,
          speech.map((sample, n) => sample + (noise[n] ?? 0)),
        ),
      );
    }
    const [host = '', port = ''] = options.sipAddress.split(':');
    const command = [program, host, port, 'demo', String(options.lossPercent ?? 0), ...files];
    const pinned = options.core === undefined ? command : ['taskset', '-c', String(options.core), ...command];
    return new Phones(spawn(pinned[0] ?? '', pinned.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] }), folder);
  }

  /** Places further calls, one every `gapMs`. Resolves after the last one. */
  async begin(count: number, gapMs: number): Promise<void> {
    this.#say(`begin ${count} ${Math.round(gapMs)}`);
    await pause(count * gapMs);
  }

  /** The newest `count` calls hang up. */
  end(count: number): void {
    this.#say(`end ${count}`);
  }

  /** Figures since the last call of this function. @throws Error when their process has ended */
  figures(): Promise<PhoneFigures> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null)
      return Promise.reject(new Error(`the callers ended with ${signalCode ?? exitCode}`));
    const mark = String(++this.#marks);
    this.#say(`mark ${mark}`);
    return new Promise((resolve, reject) => this.#waiting.set(mark, { resolve, reject }));
  }

  /** Every call hangs up, then the process ends. */
  async stop(): Promise<void> {
    this.end(100_000);
    await pause(2_000);
    this.#child.stdin?.end();
    await new Promise((resolve) =>
      this.#child.exitCode === null && this.#child.signalCode === null
        ? this.#child.once('close', resolve)
        : resolve(null),
    );
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }
}

/** Nearest-rank percentiles, to the width of a bin. */
export function summariseBins(bins: Bins): Summary {
  const count = bins.reduce((sum, [, each]) => sum + each, 0);
  const at = (share: number): number => {
    let seen = 0;
    for (const [ms, each] of bins) {
      seen += each;
      if (seen >= share * count) return Math.round(ms * 10) / 10;
    }
    return Number.NaN;
  };
  return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}

/** About 2,000 values with the same distribution, for a plot. */
export function sampleBins(bins: Bins): number[] {
  const count = bins.reduce((sum, [, each]) => sum + each, 0);
  return bins.flatMap(([ms, each]) => new Array<number>(Math.ceil((each * 2_000) / count)).fill(ms));
}

function file(folder: string, name: string, samples: Int16Array): string {
  const codes = Buffer.alloc(samples.length);
  encodeG711('pcmu', samples, codes);
  const path = join(folder, name);
  writeFileSync(path, codes);
  return path;
}

/** White noise. */
function room(count: number, random: () => number): Int16Array {
  // A uniform distribution of this width has the wanted RMS.
  const peak = 32_768 * 10 ** (ROOM_DBFS / 20) * Math.sqrt(3);
  return Int16Array.from({ length: count }, () => Math.round((random() * 2 - 1) * peak));
}
