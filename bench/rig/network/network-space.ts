// A network of its own for a process, as a machine has one, and the cable to it (Linux network namespaces; needs root
// and iproute2):
//
//   here 198.18.0.1 ── switch ── 198.18.0.2 there
//
// Where the cable is pulled behind the switch, packets of either side are lost and nobody is told.
import { execFileSync } from 'node:child_process';

/** Of the addresses for benches (RFC 2544), which nobody has. */
export const HERE = '198.18.0.1';
export const THERE = '198.18.0.2';

const run = (command: string): string => execFileSync('sh', ['-ec', command], { encoding: 'utf8', stdio: 'pipe' });

/** False, or why this machine has no such networks. */
export function missingNetworkSpaces(): string | false {
  const probe = `probe-${process.pid}`;
  try {
    run(`ip netns add ${probe}; ip netns del ${probe}`);
    return false;
  } catch (error) {
    return `this process may not make network namespaces (${String((error as { stderr?: unknown }).stderr).trim()})`;
  }
}

export class NetworkSpace {
  readonly #name: string;
  readonly #switch: string;
  readonly #cable: string;

  constructor() {
    const id = `vcs${process.pid}`;
    this.#name = `${id}-there`;
    this.#switch = `${id}-switch`;
    this.#cable = `${id}c`;
    const within = (space: string, command: string): string => `ip -n ${space} ${command}`;
    run(
      [
        `ip netns add ${this.#name}`,
        `ip netns add ${this.#switch}`,
        `ip link add ${this.#cable} type veth peer name here netns ${this.#switch}`,
        within(this.#switch, `link add there type veth peer name eth0 netns ${this.#name}`),
        within(this.#switch, 'link add bridge type bridge'),
        ...['here', 'there'].flatMap((port) => [
          within(this.#switch, `link set ${port} master bridge`),
          within(this.#switch, `link set ${port} up`),
        ]),
        within(this.#switch, 'link set bridge up'),
        `ip address add ${HERE}/30 dev ${this.#cable}`,
        `ip link set ${this.#cable} up`,
        within(this.#name, 'link set lo up'),
        within(this.#name, `address add ${THERE}/30 dev eth0`),
        within(this.#name, 'link set eth0 up'),
      ].join('\n'),
    );
  }

  /** The command that starts a program there. */
  get startedBy(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  pull(): void {
    run(`ip -n ${this.#switch} link set there down`);
  }

  plug(): void {
    run(`ip -n ${this.#switch} link set there up`);
  }

  /** After the end of the programs there. */
  remove(): void {
    run([`ip link del ${this.#cable}`, `ip netns del ${this.#switch}`, `ip netns del ${this.#name}`].join('\n'));
  }
}
