// Reads of a WebAssembly module where its data lies (WebAssembly core specification, 5.5: binary modules).

const HEADER_BYTES = 8;
const DATA_SECTION = 11;
/** A segment that is copied to a constant address of the first memory when the module is instantiated. */
const ACTIVE = 0;
const I32_CONST = 0x41;

/**
 * The address of the last data segment. The linker (wasm-ld) writes constants first and then what the program may
 * change; zeros, stack and heap come behind it. So a run changes nothing that lies before.
 * @throws TypeError for a module without data, or with data that is not copied at once
 */
export function lastDataOffset(binary: Uint8Array): number {
  let at = HEADER_BYTES;
  /** In LEB128. Addresses are below 2 GB: signed and unsigned ones differ in their last bits alone. */
  const integer = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = binary[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
  };
  while (at < binary.length) {
    const section = binary[at++];
    const bytes = integer();
    if (section !== DATA_SECTION) {
      at += bytes;
      continue;
    }
    let offset = -1;
    for (let count = integer(); count > 0; count--) {
      if (integer() !== ACTIVE || binary[at++] !== I32_CONST) break;
      offset = integer();
      at++; // end of the expression
      const length = integer();
      at += length;
      if (count === 1) return offset;
    }
    break;
  }
  throw new TypeError('the module has no data that is copied when it is instantiated');
}
