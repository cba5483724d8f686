// A recogniser without delay: the first samples hold the text as character codes, so tests can send words through the
// real worker. An utterance that begins with −1 makes it throw.
import type { PolledSttEngine, PolledSttSession } from '../../../../models/stt/stt.ts';

export function encodeText(text: string): Int16Array {
  return Int16Array.from([...text].map((char) => char.charCodeAt(0)));
}

class InstantSession implements PolledSttSession {
  #text = '';
  #fails = false;
  begin(): void {
    this.#text = '';
    this.#fails = false;
  }
  write(samples: Int16Array): void {
    if (samples[0] === -1) this.#fails = true;
    for (const sample of samples) if (sample > 0) this.#text += String.fromCharCode(sample);
  }
  partial(): string {
    return this.#text;
  }
  async finish() {
    if (this.#fails) throw new Error('asked to fail');
    return { text: this.#text, confidence: this.#text ? 1 : 0, understood: this.#text !== '' };
  }
  cancel(): void {
    this.#text = '';
  }
  close(): void {}
}

export default async function createInstantStt(): Promise<PolledSttEngine> {
  return {
    name: 'instant',
    freeText: true,
    open: async ({ callId }) => {
      if (callId === 'refused') throw new Error('no such language');
      return new InstantSession();
    },
    close: async () => {},
  };
}
