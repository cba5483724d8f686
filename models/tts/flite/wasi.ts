// Implements the thirteen WASI calls of flite's WebAssembly build in memory: it reads one file, which a run is given,
// and its output file is a growing buffer. Node's own node:wasi crashed the process after about seven runs. Layouts are
// those of wasi_snapshot_preview1 (WebAssembly/WASI, legacy/preview1/docs.md).

import { closeSync, openSync } from 'node:fs';
import { readSegment, readWasmFile, type Segment } from './wasm-file.ts';

const ERRNO_SUCCESS = 0;
const ERRNO_BADF = 8;
const ERRNO_FBIG = 22;
const ERRNO_MFILE = 33;
const FIRST_FILE_FD = 4;
const PREOPEN_FD = 3;
const ALL_RIGHTS = 0x1fff_ffffn;
/** flite opens its input and its output. */
const MAX_FILES = 4;
/** The path of a run's input. */
export const INPUT_FILE = 'input';
const INITIAL_FILE_BYTES = 128 * 1024;

interface MemoryFile {
  bytes: Uint8Array;
  position: number;
  length: number;
}

export interface WasiRun {
  exitCode: number;
  /** The output to stdout and stderr. */
  printed: string;
  /** The contents of the output file; empty if none was opened. */
  output: Uint8Array;
}

class Exit extends Error {
  readonly exitCode: number;
  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A heap that has grown by more is given back with its instance. */
const MOST_GROWN_BYTES = 16 * 1024 * 1024;

/**
 * A WASI command that is run again and again. An instance of flite takes 5 to 15 ms, because its 17 MB of voices are
 * copied, and each would wait for the garbage collector: so one is kept, and what a run has changed in its memory is
 * set back. A run that traps or exits costs its instance; the next has its data from the file again.
 */
export class WasiCommand {
  /** Open as long as the command: another release of the package may be put in its place. */
  readonly #file: number;
  readonly #module: WebAssembly.Module;
  readonly #segments: readonly Segment[];
  #spare: Instance | null;
  #calls: WasiCalls | null = null;

  /**
   * @param path of the module
   * @throws WebAssembly.CompileError, TypeError when it is no command, and what opening and reading throw
   */
  constructor(path: string) {
    this.#file = openSync(path, 'r');
    try {
      const { code, segments } = readWasmFile(this.#file);
      this.#module = new WebAssembly.Module(code);
      this.#segments = segments;
      this.#spare = this.#instance();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Nothing can be run afterwards. */
  close(): void {
    closeSync(this.#file);
  }

  /**
   * Runs it to its end.
   * @param args argv, the program's name first
   * @param maxOutputBytes bound of the output file; further writes fail with EFBIG
   * @param input content of the file INPUT_FILE
   * @throws WebAssembly.RuntimeError when the program traps
   */
  run(args: readonly string[], maxOutputBytes: number, input = ''): WasiRun {
    const instance = this.#spare ?? this.#instance();
    this.#spare = null;
    const calls = wasiCalls(instance.memory, args, maxOutputBytes, input);
    this.#calls = calls.imports;
    try {
      instance.start();
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      return calls.result(error.exitCode);
    }
    if (instance.memory.buffer.byteLength <= instance.bytes + MOST_GROWN_BYTES) {
      this.#setBack(instance);
      this.#spare = instance;
    }
    return calls.result(0);
  }

  /** The last segment and what lies behind it: a run changes nothing before. */
  #setBack({ memory, last }: Instance): void {
    const all = new Uint8Array(memory.buffer);
    all.set(last.content, last.address);
    all.fill(0, last.address + last.content.length);
  }

  #instance(): Instance {
    const imports: WasiCalls = {};
    for (const name of CALLS) imports[name] = (...call) => this.#calls?.[name]?.(...call);
    const { exports } = new WebAssembly.Instance(this.#module, { wasi_snapshot_preview1: imports });
    const { memory, _start: start } = exports;
    if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function')
      throw new TypeError('no WASI command module');
    const all = new Uint8Array(memory.buffer);
    for (const segment of this.#segments) readSegment(this.#file, segment, all);
    const { address = 0, length = 0 } = this.#segments.at(-1) ?? {};
    const last = { address, content: all.slice(address, address + length) };
    return { memory, bytes: all.length, last, start: () => void start() };
  }
}

interface Instance {
  memory: WebAssembly.Memory;
  /** Size of its memory before any run. */
  bytes: number;
  /** The segment at the highest address, as it was before any run. */
  last: { address: number; content: Uint8Array };
  /** @throws Exit, WebAssembly.RuntimeError */
  start(): void;
}

type WasiCalls = Record<string, (...call: never[]) => unknown>;

/** The system calls of a run, and their results. */
function wasiCalls(
  memory: WebAssembly.Memory,
  args: readonly string[],
  maxOutputBytes: number,
  input: string,
): { imports: WasiCalls; result(exitCode: number): WasiRun } {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const argv = args.map((arg) => encoder.encode(`${arg}\0`));
  const files = new Map<number, MemoryFile>();
  let printed = '';
  let output: MemoryFile | null = null;
  const view = () => new DataView(memory.buffer);
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);

  const write = (fd: number, chunk: Uint8Array): boolean => {
    const file = files.get(fd);
    if (!file) {
      if (printed.length < 65_536) printed += decoder.decode(chunk);
      return true;
    }
    const end = file.position + chunk.length;
    if (end > maxOutputBytes) return false;
    if (end > file.bytes.length) {
      const grown = new Uint8Array(Math.min(maxOutputBytes, Math.max(end, file.bytes.length * 2)));
      grown.set(file.bytes);
      file.bytes = grown;
    }
    file.bytes.set(chunk, file.position);
    file.position = end;
    file.length = Math.max(file.length, end);
    return true;
  };

  const imports = {
    args_sizes_get(countAt: number, sizeAt: number): number {
      view().setUint32(countAt, argv.length, true);
      view().setUint32(
        sizeAt,
        argv.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return ERRNO_SUCCESS;
    },
    args_get(pointersAt: number, textAt: number): number {
      let at = textAt;
      argv.forEach((arg, index) => {
        view().setUint32(pointersAt + 4 * index, at, true);
        bytes(at, arg.length).set(arg);
        at += arg.length;
      });
      return ERRNO_SUCCESS;
    },
    // Constant: flite reads the clock only in its benchmark mode, and speech must not depend on the time.
    clock_time_get(_id: number, _precision: bigint, timeAt: number): number {
      view().setBigUint64(timeAt, 0n, true);
      return ERRNO_SUCCESS;
    },
    fd_close(fd: number): number {
      return fd < FIRST_FILE_FD || files.has(fd) ? ERRNO_SUCCESS : ERRNO_BADF;
    },
    fd_fdstat_get(fd: number, at: number): number {
      const fileType = fd < PREOPEN_FD ? 2 : fd === PREOPEN_FD ? 3 : 4;
      bytes(at, 24).fill(0);
      view().setUint8(at, fileType);
      view().setBigUint64(at + 8, ALL_RIGHTS, true);
      view().setBigUint64(at + 16, ALL_RIGHTS, true);
      return ERRNO_SUCCESS;
    },
    fd_fdstat_set_flags: () => ERRNO_SUCCESS,
    fd_prestat_get(fd: number, at: number): number {
      if (fd !== PREOPEN_FD) return ERRNO_BADF;
      view().setUint32(at, 0, true);
      view().setUint32(at + 4, 1, true);
      return ERRNO_SUCCESS;
    },
    fd_prestat_dir_name(fd: number, at: number): number {
      if (fd !== PREOPEN_FD) return ERRNO_BADF;
      bytes(at, 1).set(encoder.encode('/'));
      return ERRNO_SUCCESS;
    },
    fd_read(fd: number, vectors: number, count: number, readAt: number): number {
      const file = files.get(fd);
      let read = 0;
      for (let index = 0; file && index < count; index++) {
        const at = view().getUint32(vectors + 8 * index, true);
        const length = Math.min(view().getUint32(vectors + 8 * index + 4, true), file.length - file.position);
        bytes(at, length).set(file.bytes.subarray(file.position, file.position + length));
        file.position += length;
        read += length;
      }
      view().setUint32(readAt, read, true);
      return ERRNO_SUCCESS;
    },
    fd_seek(fd: number, offset: bigint, whence: number, positionAt: number): number {
      const file = files.get(fd);
      if (!file) return ERRNO_BADF;
      const base = whence === 0 ? 0 : whence === 1 ? file.position : file.length;
      file.position = base + Number(offset);
      view().setBigUint64(positionAt, BigInt(file.position), true);
      return ERRNO_SUCCESS;
    },
    fd_write(fd: number, vectors: number, count: number, writtenAt: number): number {
      let written = 0;
      for (let index = 0; index < count; index++) {
        const at = view().getUint32(vectors + 8 * index, true);
        const length = view().getUint32(vectors + 8 * index + 4, true);
        if (!write(fd, bytes(at, length))) return ERRNO_FBIG;
        written += length;
      }
      view().setUint32(writtenAt, written, true);
      return ERRNO_SUCCESS;
    },
    path_open(...call: unknown[]): number {
      // (dirfd, dirflags, path, path_len, oflags, rights, inheriting, fdflags, result)
      const [, , pathAt, pathLength, , , , , resultAt] = call;
      if (files.size >= MAX_FILES || typeof resultAt !== 'number') return ERRNO_MFILE;
      const fd = FIRST_FILE_FD + files.size;
      const path = decoder.decode(bytes(Number(pathAt), Number(pathLength)).slice());
      const content = path === INPUT_FILE ? encoder.encode(input) : null;
      const file = content
        ? { bytes: content, position: 0, length: content.length }
        : { bytes: new Uint8Array(INITIAL_FILE_BYTES), position: 0, length: 0 };
      if (!content) output = file;
      files.set(fd, file);
      view().setUint32(resultAt, fd, true);
      return ERRNO_SUCCESS;
    },
    proc_exit(exitCode: number): never {
      throw new Exit(exitCode);
    },
  };

  const result = (exitCode: number): WasiRun => {
    return { exitCode, printed, output: output?.bytes.subarray(0, output.length) ?? new Uint8Array(0) };
  };
  return { imports, result };
}

/** The names of what a command may call. */
const CALLS = Object.keys(wasiCalls(new WebAssembly.Memory({ initial: 0 }), [], 0, '').imports);
