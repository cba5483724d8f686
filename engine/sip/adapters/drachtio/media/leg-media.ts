// The audio path between the peer of one leg and the engine's RTP port: through FreeSWITCH, or direct.
import type { MediaFault } from '../../../dialog/offer-answer.ts';
import type { AudioCodec, LocalAudio, NegotiatedAudio } from '../../../telephony.ts';

/** The limits within which a leg may negotiate audio. */
export interface MediaTerms {
  codecs: readonly AudioCodec[];
  /** Refuse audio without SRTP. */
  demandSrtp: boolean;
  prefersWideband: boolean;
  /** The signalling is encrypted. */
  secure: boolean;
  /** The address that the peer's packets come from, if known. */
  peerAddress: string;
  /** Addresses and CIDRs that the peer's audio may come from, besides the address that it signals. */
  sources: readonly string[];
}

export interface Agreed {
  sdp: string;
  audio: NegotiatedAudio;
}

/** `network`: the peer's audio stopped; `server`: FreeSWITCH failed. */
export type MediaLost = (reason: string, by: 'network' | 'server') => void;

export interface MediaListener {
  /** The media ended without our doing. */
  lost: MediaLost;
  /** An RFC 4733 digit that does not arrive on the engine's own RTP. */
  digit(digit: string, durationMs: number): void;
}

export interface LegMedia {
  /** Answers the peer's offer, initial or later; null if nothing in it is acceptable. */
  answer(offer: string): Promise<Agreed | null>;
  /** Makes our offer; in a running call it repeats the same media. */
  offer(): Promise<string>;
  /** Takes the answer to our offer, provisional or final; null if it accepts nothing. */
  accept(answer: string): Promise<NegotiatedAudio | null>;
  /** Releases ports and channels. Safe to call twice. */
  close(): void;
}

export interface MediaPath {
  /** Null if a call can be taken now, else the reason why not. */
  readonly fault: string | null;
  /** The sample rate of the codec that we would answer with, or why the offer has none that we accept. */
  rateOf(offer: string | null, terms: MediaTerms): 8_000 | 16_000 | MediaFault;
  open(local: LocalAudio, terms: MediaTerms, listener: MediaListener): LegMedia;
  start(): Promise<void>;
  stop(): Promise<void>;
}
