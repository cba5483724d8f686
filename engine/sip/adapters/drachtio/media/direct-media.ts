// Media without FreeSWITCH: the engine negotiates itself, and the peer sends RTP directly to the engine's port.
import {
  answeredRateHz,
  answerOffer,
  type MediaFault,
  makeOffer,
  newAudioSession,
  takeAnswer,
} from '../../../dialog/offer-answer.ts';
import { addressTowards } from '../../../stack/network/addressing.ts';
import type { LocalAudio, NegotiatedAudio } from '../../../telephony.ts';
import type { Agreed, LegMedia, MediaPath, MediaTerms } from './leg-media.ts';

export class DirectMedia implements MediaPath {
  readonly fault = null;
  readonly #externalIp: string | null;

  constructor(externalIp: string | null) {
    this.#externalIp = externalIp;
  }

  rateOf(offer: string | null, terms: MediaTerms): 8_000 | 16_000 | MediaFault {
    // No port is bound yet: of the address only its family counts, which is that of the signalling.
    const address = addressTowards('0.0.0.0', terms.peerAddress, this.#externalIp);
    return answeredRateHz(offer, terms.codecs, { ...terms, address });
  }

  open(local: LocalAudio, terms: MediaTerms): LegMedia {
    const address = addressTowards(local.address, terms.peerAddress, this.#externalIp);
    return new DirectLegMedia({ ...local, address }, terms);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}
}

class DirectLegMedia implements LegMedia {
  #session: ReturnType<typeof newAudioSession>;

  constructor(local: LocalAudio, terms: MediaTerms) {
    this.#session = newAudioSession(local, terms.codecs, terms);
  }

  async answer(offer: string): Promise<Agreed | null> {
    const answered = answerOffer(this.#session, offer);
    if (answered === null) return null;
    this.#session = answered.session;
    return answered;
  }

  async offer(): Promise<string> {
    const made = makeOffer(this.#session);
    this.#session = made.session;
    return made.sdp;
  }

  async accept(answer: string): Promise<NegotiatedAudio | null> {
    const taken = takeAnswer(this.#session, answer);
    if (taken === null) return null;
    this.#session = taken.session;
    return taken.audio;
  }

  close(): void {}
}
