// The UDP port of all browser calls of a process: ICE without checks of its own (RFC 8445 2.5, "lite"), DTLS and SRTP
// on one socket (RFC 7983). A line is found by the name in an authentic STUN request first, and by its addresses then.
// An address counts as the browser's once it has answered a question of ours, which is all that it is sent until then,
// and never longer than what came from there: nobody has us send to a stranger.
//
//   datagram ─┬─ STUN ─► name ─► line ─► an answer, or first a question to a new address
//             ├─ DTLS ─► address ─► line ─► DtlsServer ─► keys
//             └─ SRTP ─► address ─► line ─► its RtpSockets, as if it had a pair of ports
import { randomBytes } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { bindUdp } from '../rtp/ports.ts';
import type { RtpSockets } from '../rtp/session.ts';
import { type Certificate, makeCertificate } from './dtls/certificate.ts';
import { DtlsServer } from './dtls/dtls-server.ts';
import type { SrtpKeys } from './dtls/keys.ts';
import { warmUp } from './dtls/warm-up.ts';
import { BINDING_REQUEST, BINDING_RESPONSE, bindingRequest, bindingResponse, isAuthentic, readStun } from './stun.ts';
import { virtualPair } from './virtual-pair.ts';

/** 50 ms of 200 calls, as the thread may be held up. */
const RECEIVE_BUFFER_BYTES = 1_048_576;
/** Browsers keep below 1,280, which every path carries. */
const MAX_DATAGRAM_BYTES = 2_048;
/** RFC 8445 5.3 asks for 24 and 128 bits; a name of 96 is not met by chance either. */
const NAME_BYTES = 12;
const PASSWORD_BYTES = 18;
/** A browser has some addresses: of each network, each with a port. One more takes the place of another. */
const MAX_ADDRESSES = 8;
/** It asks a few times a second and address. */
const MAX_CHECKS_PER_SECOND = 100;
/** Questions to one address; a browser answers the first that arrives. */
const MAX_QUESTIONS = 10;

/** The browser, as its offer describes it. */
export interface BrowserIdentity {
  ufrag: string;
  password: string;
  /** SHA-256 of its certificate, `AB:CD:…`. */
  fingerprint: string;
}

interface LineEvents {
  onKeys: (keys: SrtpKeys) => void;
  onFault: (error: unknown) => void;
}

interface Place {
  address: string;
  port: number;
}

const keyOf = ({ address, port }: Place): string => `${address} ${port}`;

export class WebRtcPort {
  readonly port: number;
  readonly certificate: Certificate = makeCertificate();
  readonly #socket: Socket;
  readonly #now: () => number;
  readonly #byName = new Map<string, WebRtcLine>();
  readonly #byAddress = new Map<string, WebRtcLine>();
  readonly #byQuestion = new Map<string, WebRtcLine>();

  private constructor(socket: Socket, now: () => number) {
    this.#socket = socket;
    this.#now = now;
    this.port = socket.address().port;
    socket.on('message', (datagram, from) => this.#receive(datagram, from));
    // Errors of sending concern one packet.
    socket.on('error', () => undefined);
  }

  /** `now`: any monotonic clock, ms. @throws the error of `bind` */
  static async open(address: string, port: number, now: () => number): Promise<WebRtcPort> {
    const opened = new WebRtcPort(await bindUdp(address, port, RECEIVE_BUFFER_BYTES), now);
    warmUp(opened.certificate);
    return opened;
  }

  /** Expects a browser; its line ends with `close`. */
  expect(browser: BrowserIdentity, events: LineEvents): WebRtcLine {
    const line = new WebRtcLine(browser, events, {
      certificate: this.certificate,
      now: this.#now,
      send: (bytes, { address, port }) => this.#send(bytes, address, port),
      ask: (transactionId) => this.#byQuestion.set(transactionId, line),
      answered: (transactionIds) => {
        for (const id of transactionIds) this.#byQuestion.delete(id);
      },
      take: (key) => this.#byAddress.set(key, line),
      leave: (key) => {
        if (this.#byAddress.get(key) === line) this.#byAddress.delete(key);
      },
      end: () => this.#byName.delete(line.ufrag),
    });
    this.#byName.set(line.ufrag, line);
    return line;
  }

  close(): void {
    this.#socket.close();
  }

  #send(bytes: Uint8Array, address: string, port: number): void {
    try {
      this.#socket.send(bytes, 0, bytes.length, port, address);
    } catch {
      // A packet that cannot be sent counts as lost.
    }
  }

  /** RFC 7983 7: the first byte tells the protocols apart. */
  #receive(datagram: Buffer, from: RemoteInfo): void {
    if (datagram.length > MAX_DATAGRAM_BYTES) return;
    const first = datagram[0] ?? 255;
    if (first < 4) return this.#receiveStun(datagram, from);
    const isDtls = first >= 20 && first < 64;
    if (!isDtls && (first < 128 || first > 191)) return;
    const line = this.#byAddress.get(keyOf(from));
    if (isDtls) line?.receiveDtls(datagram, from);
    else line?.receiveMedia(datagram, from);
  }

  #receiveStun(datagram: Buffer, from: RemoteInfo): void {
    const message = readStun(datagram);
    if (message?.type === BINDING_REQUEST) {
      const [ours = '', theirs] = message.username.split(':', 2);
      const line = this.#byName.get(ours);
      if (line && line.browser.ufrag === theirs && line.mayCheck() && isAuthentic(datagram, message, line.password))
        line.checked(message.transactionId, from, datagram.length);
    } else if (message?.type === BINDING_RESPONSE) {
      const line = this.#byQuestion.get(message.transactionId.toString('latin1'));
      if (line && isAuthentic(datagram, message, line.browser.password))
        line.answered(message.transactionId.toString('latin1'), from);
    }
  }
}

/** The part of the port that a line uses. */
interface LineEdge {
  certificate: Certificate;
  now: () => number;
  send(bytes: Uint8Array, to: Place): void;
  ask(transactionId: string): void;
  answered(transactionIds: Iterable<string>): void;
  take(key: string): void;
  leave(key: string): void;
  end(): void;
}

interface Address {
  /** Our questions to it, until one is answered; then it has proved that it is the browser's. */
  questions: string[];
  isProved: boolean;
  /** The newest of its requests, which is answered with the proof. */
  waiting: Buffer;
}

export class WebRtcLine {
  readonly browser: BrowserIdentity;
  readonly ufrag = randomBytes(NAME_BYTES).toString('base64');
  readonly password = randomBytes(PASSWORD_BYTES).toString('base64');
  readonly #edge: LineEdge;
  readonly #events: LineEvents;
  readonly #dtls: DtlsServer;
  /** Each has sent an authentic request. */
  readonly #addresses = new Map<string, Address>();
  /** The address of the newest packet: the browser sends where it has chosen to. Null until one has proved itself. */
  #current: Place | null = null;
  readonly #pair = virtualPair(
    (packet) => this.#send(packet),
    () => this.close(),
  );
  #checks = { sinceMs: 0, count: 0 };
  #isClosed = false;

  constructor(browser: BrowserIdentity, events: LineEvents, edge: LineEdge) {
    this.browser = browser;
    this.#events = events;
    this.#edge = edge;
    this.#dtls = new DtlsServer({
      certificate: edge.certificate,
      clientFingerprint: browser.fingerprint,
      send: (datagram) => this.#send(datagram),
      onKeys: (keys) => this.#guard(() => events.onKeys(keys)),
      onEnd: () => this.close(),
    });
  }

  /** The line as a pair of ports, for an `RtpTransport`. */
  get sockets(): RtpSockets {
    return this.#pair.sockets;
  }

  mayCheck(): boolean {
    const nowMs = this.#edge.now();
    if (nowMs - this.#checks.sinceMs >= 1_000) this.#checks = { sinceMs: nowMs, count: 0 };
    return ++this.#checks.count <= MAX_CHECKS_PER_SECOND;
  }

  /** An authentic request of so many bytes has come from there. */
  checked(transactionId: Buffer, from: Place, bytes: number): void {
    const key = keyOf(from);
    let address = this.#addresses.get(key);
    if (address === undefined) {
      if (this.#addresses.size >= MAX_ADDRESSES) this.#makeRoom();
      address = { questions: [], isProved: false, waiting: transactionId };
      this.#addresses.set(key, address);
    }
    if (address.isProved) return this.#edge.send(bindingResponse(transactionId, from, this.password), from);
    const { ufrag, password } = this.browser;
    const question = bindingRequest(`${ufrag}:${this.ufrag}`, password);
    if (address.questions.length >= MAX_QUESTIONS || question.datagram.length > bytes) return;
    address.waiting = transactionId;
    const id = question.transactionId.toString('latin1');
    address.questions.push(id);
    this.#edge.ask(id);
    this.#edge.send(question.datagram, from);
  }

  /** A question was answered from there. */
  answered(transactionId: string, from: Place): void {
    const key = keyOf(from);
    const address = this.#addresses.get(key);
    if (!address?.questions.includes(transactionId)) return;
    this.#edge.answered(address.questions);
    address.questions = [];
    address.isProved = true;
    this.#edge.take(key);
    this.#edge.send(bindingResponse(address.waiting, from, this.password), from);
  }

  receiveDtls(datagram: Buffer, from: Place): void {
    this.#current = from;
    this.#dtls.receive(datagram);
  }

  receiveMedia(datagram: Buffer, from: Place): void {
    this.#current = from;
    this.#pair.deliver(datagram);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const [key, address] of this.#addresses) this.#leave(key, address);
    this.#edge.end();
  }

  /** A telephone that roams has new addresses: one that is not proved goes, else the oldest that is not in use. */
  #makeRoom(): void {
    const current = this.#current === null ? '' : keyOf(this.#current);
    const all = [...this.#addresses];
    const leaving = all.find(([, { isProved }]) => !isProved) ?? all.find(([key]) => key !== current);
    if (leaving === undefined) return;
    this.#addresses.delete(leaving[0]);
    this.#leave(...leaving);
  }

  #leave(key: string, { questions }: Address): void {
    this.#edge.answered(questions);
    this.#edge.leave(key);
  }

  #send(bytes: Uint8Array): void {
    if (this.#current !== null && !this.#isClosed) this.#edge.send(bytes, this.#current);
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#events.onFault(error);
    }
  }
}
