// The audio between the peer of one leg and the engine's RTP port: by FreeSWITCH, or directly.
import type { AudioCodec, LocalAudio, NegotiatedAudio } from '../../../telephony.ts';

/** What a leg may agree on. */
export interface MediaTerms {
  codecs: readonly AudioCodec[];
  /** SRTP or nothing. */
  demandSrtp: boolean;
  prefersWideband: boolean;
  /** The signalling is encrypted. */
  secure: boolean;
  /** Where the peer's packets come from, as far as it is known. */
  peerAddress: string;
  /** Addresses and CIDRs from which its audio may come beside what it signals. */
  sources: readonly string[];
}

export interface Agreed {
  sdp: string;
  audio: NegotiatedAudio;
}

/** `network`: the peer's audio stopped; `server`: FreeSWITCH failed. */
export type MediaLost = (reason: string, by: 'network' | 'server') => void;

export interface MediaListener {
  /** The media ended by themselves. */
  lost: MediaLost;
  /** A key by RFC 4733 that the engine's own RTP does not bring. */
  digit(digit: string, durationMs: number): void;
}

export interface LegMedia {
  /** Answers an offer of the peer, the first or a later one; null if none of it can be had. */
  answer(offer: string): Promise<Agreed | null>;
  /** Our offer; the same media again in a running call. */
  offer(): Promise<string>;
  /** Takes the answer to it, provisional or final; null if it accepts nothing. */
  accept(answer: string): Promise<NegotiatedAudio | null>;
  /** Releases what the media hold. Safe to call twice. */
  close(): void;
}

export interface MediaPath {
  /** Null if a call can be taken now, else why not. */
  readonly fault: string | null;
  /** The rate of an answer's codec, null if the offer has none that we take. */
  rateOf(offer: string | null, terms: MediaTerms): 8_000 | 16_000 | null;
  open(local: LocalAudio, terms: MediaTerms, listener: MediaListener): LegMedia;
  start(): Promise<void>;
  stop(): Promise<void>;
}
