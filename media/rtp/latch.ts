// Decides which source of packets is the peer: symmetric RTP (RFC 4961) with a lock. Until one is latched, packets are
// accepted from the signalled host, from the source of the peer's signalling (a phone behind NAT signals an unreachable
// address), and from the networks of its trunk; otherwise an attacker who guesses a port could take the call over with
// one packet. The signalled address wins over any other. Once latched, no other source is heard, unless the peer has
// fallen silent and its own host keeps sending in sequence from another port, or signalling names a new address.
import { BlockList, isIPv6 } from 'node:net';
import type { RtpHeader } from './packet.ts';
import { sequenceDistance } from './packet.ts';

// A gateway that changes its port without signalling goes silent on the old one; a peer that pauses for comfort noise
// returns sooner.
const SILENT_MS = 1000;
// A new source must send this many packets in sequence (100 ms).
const PROBATION_PACKETS = 5;

type LatchVerdict =
  | 'accept'
  /** Accepted; its sequence numbers and time stamps are unrelated to the earlier ones. */
  | 'accept-new-source'
  | 'foreign';

export class Latch {
  #signalledAddress: string | null = null;
  #signalledPort = 0;
  /** Hosts that may be latched besides the signalled one. */
  #sources = new BlockList();
  /** The latched source; null while the latch is open. */
  #address: string | null = null;
  #port = 0;
  #ssrc = 0;
  #lastHeardMs = 0;
  /** A new source on probation, while the peer is silent. */
  #candidateAddress = '';
  #candidatePort = 0;
  #candidateSsrc = 0;
  #candidateSequence = 0;
  #candidatePackets = 0;
  /** Another SSRC from the peer's own socket; sequence -1 if there is none. */
  #otherSsrc = 0;
  #otherSequence = -1;

  /** Where to send: the latched source, else the signalled address. Null before both. */
  get address(): string | null {
    return this.#address ?? this.#signalledAddress;
  }

  get port(): number {
    return this.#address === null ? this.#signalledPort : this.#port;
  }

  /** SSRC of the latched source, null while nothing is latched. */
  get ssrc(): number | null {
    return this.#address === null ? null : this.#ssrc;
  }

  get latched(): boolean {
    return this.#address !== null;
  }

  /**
   * Takes the peer's address from an offer or answer; a different one re-opens the latch. `sources`: further addresses
   * and CIDRs that its packets may come from.
   */
  signal(address: string, port: number, sources: readonly string[] = []): void {
    this.#sources = blockList(sources);
    if (address === this.#signalledAddress && port === this.#signalledPort) return;
    this.#signalledAddress = address;
    this.#signalledPort = port;
    this.#address = null;
    this.#candidatePackets = 0;
  }

  /** Whether a packet from there can be the peer's at all, before it is decrypted. */
  mayTake(address: string, port: number, nowMs: number): boolean {
    if (this.#address === null) return this.#mayBePeer(address);
    if (address === this.#address && port === this.#port) return true;
    if (address === this.#signalledAddress && port === this.#signalledPort) return true;
    return this.#mayMove(address, nowMs);
  }

  /** Judges a valid RTP packet of an agreed payload type. `nowMs` is any monotonic clock. */
  judge(address: string, port: number, header: RtpHeader, nowMs: number): LatchVerdict {
    if (this.#address === null) return this.#mayBePeer(address) ? this.#take(address, port, header, nowMs) : 'foreign';
    if (address === this.#address && port === this.#port) return this.#judgePeer(header, nowMs);
    const isSignalled = address === this.#signalledAddress && port === this.#signalledPort;
    // The latched source has another address, perhaps forged; the signalled one is more trustworthy.
    if (isSignalled) return this.#take(address, port, header, nowMs);
    return this.#judgeCandidate(address, port, header, nowMs);
  }

  /** Whether RTCP from `address` may come from the peer. It may use another port but not another host. */
  isPeerHost(address: string): boolean {
    return address === this.#address || (this.#address === null && address === this.#signalledAddress);
  }

  /** A pause is no reason to send our audio to another host: only signalling may do that. */
  #mayMove(address: string, nowMs: number): boolean {
    const isPeersHost = address === this.#address || address === this.#signalledAddress;
    return isPeersHost && nowMs - this.#lastHeardMs >= SILENT_MS;
  }

  #mayBePeer(address: string): boolean {
    return address === this.#signalledAddress || this.#sources.check(address, familyOf(address));
  }

  #take(address: string, port: number, header: RtpHeader, nowMs: number): LatchVerdict {
    this.#address = address;
    this.#port = port;
    this.#ssrc = header.ssrc;
    this.#lastHeardMs = nowMs;
    this.#candidatePackets = 0;
    this.#otherSequence = -1;
    return 'accept-new-source';
  }

  #judgePeer(header: RtpHeader, nowMs: number): LatchVerdict {
    if (header.ssrc === this.#ssrc) {
      this.#lastHeardMs = nowMs;
      this.#otherSequence = -1;
      return 'accept';
    }
    // Same socket, new SSRC: the peer restarted its stream. Two packets in sequence prove it, or a silence before.
    const follows = header.ssrc === this.#otherSsrc && sequenceDistance(this.#otherSequence, header.sequence) === 1;
    if (follows || nowMs - this.#lastHeardMs >= SILENT_MS) {
      this.#ssrc = header.ssrc;
      this.#lastHeardMs = nowMs;
      this.#otherSequence = -1;
      return 'accept-new-source';
    }
    this.#otherSsrc = header.ssrc;
    this.#otherSequence = header.sequence;
    return 'foreign';
  }

  #judgeCandidate(address: string, port: number, header: RtpHeader, nowMs: number): LatchVerdict {
    // A new source must bring a new SSRC: the peer's SSRC on another port belongs to an eavesdropper.
    if (!this.#mayMove(address, nowMs) || header.ssrc === this.#ssrc) {
      this.#candidatePackets = 0;
      return 'foreign';
    }
    const follows =
      this.#candidatePackets > 0 &&
      address === this.#candidateAddress &&
      port === this.#candidatePort &&
      header.ssrc === this.#candidateSsrc &&
      sequenceDistance(this.#candidateSequence, header.sequence) === 1;
    this.#candidatePackets = follows ? this.#candidatePackets + 1 : 1;
    this.#candidateAddress = address;
    this.#candidatePort = port;
    this.#candidateSsrc = header.ssrc;
    this.#candidateSequence = header.sequence;
    return this.#candidatePackets >= PROBATION_PACKETS ? this.#take(address, port, header, nowMs) : 'foreign';
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

function blockList(sources: readonly string[]): BlockList {
  const list = new BlockList();
  for (const source of sources) {
    const [address = '', bits] = source.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}
