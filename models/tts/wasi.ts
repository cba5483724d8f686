// Implements the thirteen WASI calls of flite's WebAssembly build in memory: it reads no file, and its output file is a
// growing buffer. Node's own node:wasi crashed the process after about seven runs. Layouts are those of
// wasi_snapshot_preview1 (WebAssembly/WASI, legacy/preview1/docs.md).

const ERRNO_SUCCESS = 0;
const ERRNO_BADF = 8;
const ERRNO_FBIG = 22;
const ERRNO_MFILE = 33;
const FIRST_FILE_FD = 4;
const PREOPEN_FD = 3;
const ALL_RIGHTS = 0x1fff_ffffn;
/** flite opens only its output. */
const MAX_FILES = 4;
const INITIAL_FILE_BYTES = 128 * 1024;

interface MemoryFile {
  bytes: Uint8Array;
  position: number;
  length: number;
}

export interface WasiRun {
  exitCode: number;
  /** It came to its end by itself, and did not call `exit`. */
  hasReturned: boolean;
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

/** Bytes at the end of the initial memory that hold all variables and the stack; before them lie constants only. */
const VARIABLE_BYTES = 1_048_576;
/** A run may add to the memory, and the next has it. Past this an instance is not used again. */
const MAX_ADDED_BYTES = 16 * 1_048_576;

/**
 * A WASI command that can be run again and again in one instance, because its variables are put back after each run. A
 * new instance for each would leave 17 MB of flite's voices to the garbage collector, which takes no notice of them.
 */
export class WasiCommand {
  readonly #module: WebAssembly.Module;
  #program: Program | null = null;

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * Runs it to its end.
   * @param args argv, the program's name first
   * @param maxOutputBytes bound of the output file; further writes fail with EFBIG
   * @throws WebAssembly.RuntimeError when the program traps; the next run has a new instance
   */
  run(args: readonly string[], maxOutputBytes: number): WasiRun {
    const program = this.#program ?? new Program(this.#module);
    this.#program = null;
    const result = program.run(args, maxOutputBytes);
    // After an exit in mid program the stack pointer, which nobody outside can set, stays where it was.
    if (result.hasReturned && program.addedBytes <= MAX_ADDED_BYTES) this.#program = program;
    return result;
  }
}

/** One instance. */
class Program {
  readonly #files = new Files();
  readonly #memory: WebAssembly.Memory;
  readonly #start: () => void;
  readonly #initialBytes: number;
  readonly #variables: Uint8Array;

  constructor(module: WebAssembly.Module) {
    let memory: WebAssembly.Memory | null = null;
    const imports = importsOf(this.#files, () => bufferOf(memory));
    const { memory: exported, _start: start } = new WebAssembly.Instance(module, {
      wasi_snapshot_preview1: imports,
    }).exports;
    if (!(exported instanceof WebAssembly.Memory) || typeof start !== 'function')
      throw new TypeError('no WASI command module');
    memory = exported;
    this.#memory = exported;
    this.#start = start as () => void;
    this.#initialBytes = exported.buffer.byteLength;
    this.#variables = new Uint8Array(exported.buffer).slice(-VARIABLE_BYTES);
  }

  get addedBytes(): number {
    return this.#memory.buffer.byteLength - this.#initialBytes;
  }

  run(args: readonly string[], maxOutputBytes: number): WasiRun {
    this.#files.begin(args, maxOutputBytes);
    let [exitCode, hasReturned] = [0, true];
    try {
      this.#start();
    } catch (error) {
      if (!(error instanceof Exit)) throw error;
      [exitCode, hasReturned] = [error.exitCode, false];
    }
    new Uint8Array(this.#memory.buffer).set(this.#variables, this.#initialBytes - this.#variables.length);
    return { exitCode, hasReturned, ...this.#files.take() };
  }
}

/** What a run is told, and what it writes. */
class Files {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  readonly open = new Map<number, MemoryFile>();
  argv: Uint8Array[] = [];
  #printed = '';
  #maxOutputBytes = 0;

  begin(args: readonly string[], maxOutputBytes: number): void {
    this.argv = args.map((arg) => this.#encoder.encode(`${arg}\0`));
    this.open.clear();
    this.#printed = '';
    this.#maxOutputBytes = maxOutputBytes;
  }

  take(): Pick<WasiRun, 'printed' | 'output'> {
    const first = this.open.get(FIRST_FILE_FD);
    const output = first ? first.bytes.subarray(0, first.length) : new Uint8Array(0);
    this.open.clear();
    return { printed: this.#printed, output };
  }

  /** False where the file would be too long. */
  write(fd: number, chunk: Uint8Array): boolean {
    const file = this.open.get(fd);
    if (!file) {
      if (this.#printed.length < 65_536) this.#printed += this.#decoder.decode(chunk);
      return true;
    }
    const end = file.position + chunk.length;
    if (end > this.#maxOutputBytes) return false;
    if (end > file.bytes.length) {
      const grown = new Uint8Array(Math.min(this.#maxOutputBytes, Math.max(end, file.bytes.length * 2)));
      grown.set(file.bytes);
      file.bytes = grown;
    }
    file.bytes.set(chunk, file.position);
    file.position = end;
    file.length = Math.max(file.length, end);
    return true;
  }
}

function importsOf(files: Files, buffer: () => ArrayBuffer) {
  const view = () => new DataView(buffer());
  const bytes = (at: number, length: number) => new Uint8Array(buffer(), at, length);
  return {
    args_sizes_get(countAt: number, sizeAt: number): number {
      view().setUint32(countAt, files.argv.length, true);
      view().setUint32(
        sizeAt,
        files.argv.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return ERRNO_SUCCESS;
    },
    args_get(pointersAt: number, textAt: number): number {
      let at = textAt;
      files.argv.forEach((arg, index) => {
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
      return fd < FIRST_FILE_FD || files.open.has(fd) ? ERRNO_SUCCESS : ERRNO_BADF;
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
      view().setUint8(at, '/'.charCodeAt(0));
      return ERRNO_SUCCESS;
    },
    fd_read(_fd: number, _vectors: number, _count: number, readAt: number): number {
      view().setUint32(readAt, 0, true);
      return ERRNO_SUCCESS;
    },
    fd_seek(fd: number, offset: bigint, whence: number, positionAt: number): number {
      const file = files.open.get(fd);
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
        if (!files.write(fd, bytes(at, length))) return ERRNO_FBIG;
        written += length;
      }
      view().setUint32(writtenAt, written, true);
      return ERRNO_SUCCESS;
    },
    path_open(...call: unknown[]): number {
      // (dirfd, dirflags, path, path_len, oflags, rights, inheriting, fdflags, result)
      const resultAt = call[8];
      if (files.open.size >= MAX_FILES || typeof resultAt !== 'number') return ERRNO_MFILE;
      const fd = FIRST_FILE_FD + files.open.size;
      files.open.set(fd, { bytes: new Uint8Array(INITIAL_FILE_BYTES), position: 0, length: 0 });
      view().setUint32(resultAt, fd, true);
      return ERRNO_SUCCESS;
    },
    proc_exit(exitCode: number): never {
      throw new Exit(exitCode);
    },
  };
}

function bufferOf(memory: WebAssembly.Memory | null): ArrayBuffer {
  if (!memory) throw new Error('the module called out before it was started');
  return memory.buffer;
}
