// Reading the vectors of TLS (RFC 8446 3.4) from a stranger's bytes, and writing them. A reader throws where bytes are
// missing, so that whoever reads a message gives it up as a whole.

export class DtlsError extends Error {
  readonly code = 'DTLS_FAILED';
}

export class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isOver(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** A number of 1 to 6 bytes. @throws {DtlsError} */
  number(bytes: number): number {
    return this.take(bytes).readUIntBE(0, bytes);
  }

  /** @throws {DtlsError} */
  take(bytes: number): Buffer {
    const end = this.#at + bytes;
    if (end > this.#bytes.length) throw new DtlsError('a message is too short');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  /** A vector behind its length of so many bytes. @throws {DtlsError} */
  vector(lengthBytes: number): Buffer {
    return this.take(this.number(lengthBytes));
  }
}

export function number(value: number, bytes: number): Buffer {
  const out = Buffer.alloc(bytes);
  out.writeUIntBE(value, 0, bytes);
  return out;
}

/** The parts behind their length of so many bytes. */
export function vector(lengthBytes: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([number(length, lengthBytes), ...parts]);
}
