// One call's stream to a recogniser over a WebSocket: keeps the audio of unanswered utterances, sends it again on a new
// connection, and gives each finished utterance a deadline. The vendor's message format is in its `SttWire`.
import type { Vendor, VendorError } from '../../vendors/vendor.ts';
import type { SttResult, SttStream, SttStreamOptions, SttUtterance, SttUtteranceOptions } from '../stt.ts';
import { KeptAudio } from './kept-audio.ts';
import { VendorSocket } from './vendor-socket.ts';

/** Longest utterance that can be sent again. The turn machine answers a caller after 20 s. */
const KEPT_MS = 30_000;

/** An utterance as the wire sees it. */
export interface WireUtterance {
  readonly number: number;
  readonly samples: number;
  readonly isFinished: boolean;
}

/** The operations that a wire may use. */
export interface WireLink {
  readonly options: SttStreamOptions;
  /** Not answered yet, oldest first. */
  readonly open: readonly WireUtterance[];
  send(data: string | Uint8Array): void;
  partial(utterance: WireUtterance, text: string): void;
  turnEnd(utterance: WireUtterance): void;
  final(utterance: WireUtterance, result: SttResult): void;
  lose(utterance: WireUtterance, message: string): void;
  /** Begins a new connection, unless the error is permanent. */
  restart(error: VendorError): void;
}

export interface SttWire {
  url(): URL;
  readonly headers: Record<string, string>;
  readonly keepAlive: { everyMs: number; text: string } | null;
  readonly farewell: string | null;
  /** A new connection: the state of the old one is discarded. Unanswered utterances follow. */
  opened(): void;
  begin(utterance: WireUtterance): void;
  audio(utterance: WireUtterance, samples: Int16Array): void;
  finish(utterance: WireUtterance): void;
  cancel(utterance: WireUtterance): void;
  receive(message: Record<string, unknown>): void;
  /** The server refused the connection. True when the wire knows another dialect: it is opened once more. */
  refused?(error: VendorError): boolean;
}

interface OpenUtterance extends WireUtterance {
  samples: number;
  isFinished: boolean;
  options: SttUtteranceOptions;
  kept: KeptAudio;
}

export class SocketStream implements SttStream, WireLink {
  readonly options: SttStreamOptions;
  readonly #wire: SttWire;
  readonly #socket: VendorSocket;
  #open: OpenUtterance[] = [];
  #number = 0;

  constructor(vendor: Vendor, options: SttStreamOptions, wireFor: (link: WireLink) => SttWire) {
    this.options = options;
    const wire = wireFor(this);
    this.#wire = wire;
    this.#socket = new VendorSocket({
      vendor,
      url: () => wire.url(),
      headers: wire.headers,
      keepAlive: wire.keepAlive,
      onOpen: () => this.#opened(),
      onText: (text) => this.#received(text),
      onDown: (error) => this.#down(error),
    });
  }

  get open(): readonly WireUtterance[] {
    return this.#open;
  }

  begin(options: SttUtteranceOptions): SttUtterance {
    const kept = new KeptAudio(this.options.sampleRateHz, KEPT_MS);
    const utterance: OpenUtterance = { number: ++this.#number, samples: 0, isFinished: false, options, kept };
    this.#open.push(utterance);
    options.signal.addEventListener('abort', () => this.#cancel(utterance), { once: true });
    if (this.#socket.isOpen) this.#wire.begin(utterance);
    else this.#socket.wake();
    return {
      write: (samples) => this.#write(utterance, samples),
      finish: () => this.#finish(utterance),
    };
  }

  close(): void {
    this.#open = [];
    this.#socket.close(this.#wire.farewell);
  }

  send(data: string | Uint8Array): void {
    this.#socket.send(data);
  }

  partial(utterance: WireUtterance, text: string): void {
    this.#find(utterance)?.options.onEvent({ type: 'partial', text });
  }

  turnEnd(utterance: WireUtterance): void {
    this.#find(utterance)?.options.onEvent({ type: 'turn-end' });
  }

  final(utterance: WireUtterance, result: SttResult): void {
    this.#take(utterance)?.options.onEvent({ type: 'final', result });
  }

  lose(utterance: WireUtterance, message: string): void {
    this.#take(utterance)?.options.onEvent({ type: 'lost', message });
  }

  restart(error: VendorError): void {
    this.#socket.restart(error);
  }

  #write(utterance: OpenUtterance, samples: Int16Array): void {
    if (!this.#find(utterance) || utterance.isFinished) return;
    utterance.kept.add(samples);
    utterance.samples += samples.length;
    if (this.#socket.isOpen) this.#wire.audio(utterance, samples);
  }

  #finish(utterance: OpenUtterance): void {
    if (!this.#find(utterance) || utterance.isFinished) return;
    utterance.isFinished = true;
    if (this.#socket.isOpen) this.#wire.finish(utterance);
  }

  #cancel(utterance: OpenUtterance): void {
    if (this.#take(utterance) && this.#socket.isOpen) this.#wire.cancel(utterance);
  }

  #opened(): void {
    this.#wire.opened();
    for (const utterance of [...this.#open]) {
      this.#wire.begin(utterance);
      for (const samples of utterance.kept.pieces) this.#wire.audio(utterance, samples);
      if (utterance.isFinished) this.#wire.finish(utterance);
    }
  }

  #received(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // A frame that is not JSON needs no answer; the utterance's deadline still applies.
      return;
    }
    if (typeof message === 'object' && message !== null) this.#wire.receive(message as Record<string, unknown>);
  }

  #down(error: VendorError): void {
    if (this.#wire.refused?.(error)) {
      this.#socket.wake();
      return;
    }
    for (const utterance of [...this.#open]) this.lose(utterance, error.message);
  }

  #find(utterance: WireUtterance): OpenUtterance | undefined {
    return this.#open.find((candidate) => candidate === utterance);
  }

  #take(utterance: WireUtterance): OpenUtterance | undefined {
    const found = this.#find(utterance);
    if (found) this.#open = this.#open.filter((candidate) => candidate !== found);
    return found;
  }
}
