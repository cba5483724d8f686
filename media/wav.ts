// RIFF/WAVE with 16-bit PCM, the format of recordings. The writer's header is always 44 bytes. The reader accepts
// chunks in any order; if a crash left the header's length at zero, it uses the length of the file.

export const WAV_HEADER_BYTES = 44;

export class WavError extends Error {
  readonly code: 'WAV_NOT_RIFF' | 'WAV_UNSUPPORTED' | 'WAV_TRUNCATED';
  constructor(code: WavError['code'], message: string) {
    super(message);
    this.name = 'WavError';
    this.code = code;
  }
}

interface WavFormat {
  sampleRateHz: number;
  channels: number;
}

/** The 44-byte RIFF/WAVE header of a PCM16 file with `dataBytes` of interleaved samples. */
export function wavHeader(format: WavFormat, dataBytes: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  const blockBytes = format.channels * 2;
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(36 + dataBytes, 0xffffffff), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(format.channels, 22);
  header.writeUInt32LE(format.sampleRateHz, 24);
  header.writeUInt32LE(format.sampleRateHz * blockBytes, 28);
  header.writeUInt16LE(blockBytes, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(Math.min(dataBytes, 0xffffffff), 40);
  return header;
}

/** A complete WAV file from interleaved PCM16 samples. */
export function encodeWav(format: WavFormat, samples: Int16Array): Buffer {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([wavHeader(format, data.length), data]);
}

interface WavLayout extends WavFormat {
  dataOffset: number;
  /** Bytes that the data chunk actually holds: whole blocks, within the file. */
  dataBytes: number;
}

/**
 * Finds format and data in `head`, the first bytes of a file that is `fileBytes` long.
 * @throws {WavError} if it is not RIFF/WAVE, not 16-bit PCM, or has no data chunk within `head`
 */
export function wavLayout(head: Buffer, fileBytes: number = head.length): WavLayout {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE') {
    throw new WavError('WAV_NOT_RIFF', 'not a RIFF/WAVE file');
  }
  let format: WavFormat | undefined;
  let offset = 12;
  while (offset + 8 <= head.length) {
    const id = head.toString('latin1', offset, offset + 4);
    const size = head.readUInt32LE(offset + 4);
    const body = offset + 8;
    if (id === 'fmt ') {
      if (body + 16 > head.length) throw new WavError('WAV_TRUNCATED', 'fmt chunk is cut off');
      const tag = head.readUInt16LE(body);
      const bits = head.readUInt16LE(body + 14);
      // 0xfffe is WAVE_FORMAT_EXTENSIBLE, which may also carry 16-bit PCM.
      if ((tag !== 1 && tag !== 0xfffe) || bits !== 16) {
        throw new WavError('WAV_UNSUPPORTED', `only 16-bit PCM is read, got format ${tag} with ${bits} bits`);
      }
      format = { channels: head.readUInt16LE(body + 2), sampleRateHz: head.readUInt32LE(body + 4) };
      if (format.channels < 1 || format.sampleRateHz < 1) {
        throw new WavError('WAV_UNSUPPORTED', 'no channels or no sample rate');
      }
    } else if (id === 'data') {
      if (!format) throw new WavError('WAV_UNSUPPORTED', 'data before fmt');
      const there = Math.max(0, fileBytes - body);
      // Zero or all ones: the writer never filled in the length.
      const claimed = size === 0 || size === 0xffffffff ? there : Math.min(size, there);
      const blockBytes = format.channels * 2;
      return { ...format, dataOffset: body, dataBytes: claimed - (claimed % blockBytes) };
    }
    offset = body + size + (size & 1);
  }
  throw new WavError('WAV_TRUNCATED', 'no data chunk');
}

interface Wav extends WavFormat {
  /** One array per channel. */
  channelsSamples: Int16Array[];
}

/** Reads a complete PCM16 file and separates its channels. @throws {WavError} */
export function decodeWav(file: Buffer): Wav {
  const layout = wavLayout(file);
  const frames = layout.dataBytes / (layout.channels * 2);
  const channelsSamples = Array.from({ length: layout.channels }, () => new Int16Array(frames));
  for (let channel = 0; channel < layout.channels; channel++) {
    const samples = channelsSamples[channel] as Int16Array;
    for (let i = 0; i < frames; i++) {
      samples[i] = file.readInt16LE(layout.dataOffset + (i * layout.channels + channel) * 2);
    }
  }
  return { sampleRateHz: layout.sampleRateHz, channels: layout.channels, channelsSamples };
}
