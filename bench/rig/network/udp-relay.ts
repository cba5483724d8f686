// A way to a UDP port that loses packets, holds them up, or lets none through.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';

interface Line {
  lossPercent: number;
  /** Each packet is held up for as long as this at most, so that they overtake each other. */
  jitterMs: number;
}

export class UdpRelay {
  line: Line = { lossPercent: 0, jitterMs: 0 };
  isDown = false;
  /** Nothing comes back from the port, though it hears. */
  isOneWay = false;
  /** Packets that went through. */
  passed = 0;
  readonly #front: Socket;
  readonly #targetPort: number;
  /** One socket for each client, as NAT has one. */
  readonly #backs = new Map<string, Socket>();
  readonly #random: () => number;
  #isClosed = false;

  private constructor(front: Socket, targetPort: number, seed: number) {
    this.#front = front;
    this.#targetPort = targetPort;
    this.#random = seededRandom(seed);
    front.on('message', (datagram, { address, port }) => {
      const back = this.#backOf(address, port);
      this.#pass(false, () => back.send(datagram, this.#targetPort, '127.0.0.1'));
    });
  }

  /** On a free port of 127.0.0.1, to another one. */
  static async start(targetPort: number, seed = 1): Promise<UdpRelay> {
    const front = createSocket('udp4');
    front.bind(0, '127.0.0.1');
    await once(front, 'listening');
    return new UdpRelay(front, targetPort, seed);
  }

  get port(): number {
    return this.#front.address().port;
  }

  close(): void {
    this.#isClosed = true;
    for (const socket of [this.#front, ...this.#backs.values()]) socket.close();
  }

  #backOf(address: string, port: number): Socket {
    const key = `${address} ${port}`;
    let back = this.#backs.get(key);
    if (back === undefined) {
      back = createSocket('udp4');
      back.on('message', (datagram) => this.#pass(true, () => this.#front.send(datagram, port, address)));
      this.#backs.set(key, back);
    }
    return back;
  }

  #pass(isBack: boolean, send: () => void): void {
    const { lossPercent, jitterMs } = this.line;
    if (this.isDown || (isBack && this.isOneWay) || this.#random() * 100 < lossPercent) return;
    this.passed++;
    const later = (): void => {
      if (!this.#isClosed) send();
    };
    if (jitterMs === 0) later();
    else setTimeout(later, this.#random() * jitterMs);
  }
}
