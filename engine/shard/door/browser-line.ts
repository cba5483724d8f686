// The texts that a browser sends beside its audio: an offer of WebRTC, keys, and its word that it missed something.
//
//   {type: "offer", sdp}     answered by {type: "answer", sdp}, or {type: "refused", code, message}
//   {type: "digit", digit}   a key
//   {type: "missed", ms}     the agent's last words did not arrive: they come again by the socket
//   {type: "again"}          the next message is the microphone's last second, after we have missed a part of it

import { RtpTransport } from '../../../media/rtp/rtp-transport.ts';
import { type AudioPath, BrowserTransport, KEPT_MS } from '../../../media/webrtc/browser-transport.ts';
import { VIRTUAL_PEER } from '../../../media/webrtc/virtual-pair.ts';
import type { WebRtcLine, WebRtcPort } from '../../../media/webrtc/webrtc-port.ts';
import type { OpenCall } from '../protocol.ts';
import { type BrowserOffer, readOffer, writeAnswer } from './browser-offer.ts';

/** Beyond it what a browser says is not read: a line that comes and goes makes an offer every few seconds. */
const TEXTS_PER_SECOND = 20;
const MAX_OFFERS = 50;
const DIGIT = /^[0-9*#]$/;

/** Where browsers reach the port. */
export interface WebRtcEntrance {
  port: WebRtcPort;
  addresses: readonly string[];
}

interface BrowserLineEdge {
  callId: string;
  sampleRateHz: OpenCall['sampleRateHz'];
  /** The browser was here before, and comes back. */
  isAwaited: boolean;
  /** Null: WebRTC is off. */
  entrance: () => WebRtcEntrance | null;
  now: () => number;
  onDigit: (digit: string) => void;
  onFault: (error: unknown) => void;
  /** Another path carries the call. */
  onPath: (path: AudioPath) => void;
}

export class BrowserLine {
  readonly transport: BrowserTransport;
  readonly #edge: BrowserLineEdge;
  /** Its offer was answered, and the browser has not connected yet. */
  #expected: WebRtcLine | null = null;
  #offers = 0;
  #texts = { sinceMs: Number.NEGATIVE_INFINITY, count: 0 };

  constructor(edge: BrowserLineEdge) {
    this.#edge = edge;
    this.transport = new BrowserTransport(edge, {
      onPath: (path, missedMs) => {
        if (missedMs > 0) this.transport.sendText(JSON.stringify({ type: 'missed', ms: missedMs }));
        edge.onPath(path);
      },
      onClosed: () => this.#forget(),
    });
  }

  /** Takes a text of the socket; one that means nothing is ignored, as it always was. */
  take(text: string): void {
    const { transport } = this;
    const { now } = this.#edge;
    transport.alive();
    if (now() - this.#texts.sinceMs >= 1_000) this.#texts = { sinceMs: now(), count: 0 };
    if (++this.#texts.count > TEXTS_PER_SECOND) return;
    const message = objectIn(text);
    switch (message?.type) {
      case 'offer':
        return transport.sendText(JSON.stringify(this.#answer(message.sdp)));
      case 'digit':
        if (typeof message.digit === 'string' && DIGIT.test(message.digit)) this.#edge.onDigit(message.digit);
        return;
      case 'missed':
        if (typeof message.ms === 'number') transport.sendAgain(Math.max(0, Math.min(KEPT_MS, message.ms)));
        return;
      case 'again':
        transport.expectAgain();
    }
  }

  #forget(): void {
    this.#expected?.close();
    this.#expected = null;
  }

  #answer(sdp: unknown): { type: string; sdp?: string; code?: string; message?: string } {
    const entrance = this.#edge.entrance();
    if (entrance === null) return refusal('WEBRTC_OFF', 'WebRTC is not served here');
    if (++this.#offers > MAX_OFFERS) return refusal('TOO_MANY_OFFERS', `at most ${MAX_OFFERS} offers a call`);
    const offer = typeof sdp === 'string' ? readOffer(sdp) : null;
    if (offer === null) return refusal('BAD_OFFER', 'expected an offer of Opus by UDP/TLS/RTP/SAVPF with rtcp-mux');
    const { port, addresses } = entrance;
    this.#forget();
    const line = this.#expect(port, offer);
    this.#expected = line;
    const { ufrag, password } = line;
    const from = { ufrag, password, fingerprint: port.certificate.fingerprint, addresses, port: port.port };
    return { type: 'answer', sdp: writeAnswer(offer, from) };
  }

  #expect(port: WebRtcPort, { browser, opus, events }: BrowserOffer): WebRtcLine {
    const { callId, sampleRateHz, now, onDigit, onFault } = this.#edge;
    const line: WebRtcLine = port.expect(browser, {
      onFault,
      onKeys: ({ client, server }) => {
        const edge = { onDigit, onFault, now, cname: callId };
        const media = new RtpTransport({ ...edge, sockets: line.sockets, sampleRateHz, isSettled: true });
        media.connect({
          remoteAddress: VIRTUAL_PEER.address,
          remotePort: VIRTUAL_PEER.port,
          remoteRtcpPort: VIRTUAL_PEER.port,
          codec: 'OPUS',
          payloadType: opus.payloadType,
          telephoneEventPayloadType: events?.payloadType ?? null,
          ...(events ? { telephoneEventClockHz: events.clockHz } : {}),
          comfortNoisePayloadType: null,
          direction: 'sendrecv',
          srtp: { localKeySalt: server, remoteKeySalt: client },
          sources: [],
        });
        // From here on it ends with its media.
        this.#expected = null;
        this.transport.connect(media);
      },
    });
    return line;
  }
}

const refusal = (code: string, message: string) => ({ type: 'refused', code, message });

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
