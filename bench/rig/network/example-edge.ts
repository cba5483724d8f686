// The example configuration of Kamailio, on a free port of 127.0.0.1.
import { readFileSync } from 'node:fs';
import { type Proxy as Kamailio, startKamailioWith } from './kamailio.ts';

const EXAMPLE = readFileSync(new URL('../../../docs/examples/kamailio/kamailio.cfg', import.meta.url), 'utf8');

interface EdgeOptions {
  /** In place of the lines that an operator sets: `NAME: value`, as it stands in the file. */
  defines?: Readonly<Record<string, string>>;
  /** Where the engines are, for its dispatcher.list. */
  engines?: readonly string[];
  /** More files in its folder. */
  files?: Readonly<Record<string, string>>;
}

export function startExampleEdge({ defines = {}, engines = [], files = {} }: EdgeOptions): Promise<Kamailio> {
  const configure = (port: number, folder: string): string => {
    const all = { EDGE: `udp:127.0.0.1:${port}`, FOLDER: `"${folder}"`, RUN: `"${folder}"`, ...defines };
    const lines = Object.entries(all).map(([name, value]) => `#!define ${name} ${value}`);
    return EXAMPLE.replace('#!KAMAILIO', ['#!KAMAILIO', ...lines, 'tcp_children=2'].join('\n'))
      .replace('children=4', 'children=2')
      .replace('name=reload;interval=5', 'name=reload;interval=1');
  };
  const list = engines.map((uri) => `1 ${uri}\n`).join('');
  return startKamailioWith(configure, { 'dispatcher.list': list, ...files });
}
