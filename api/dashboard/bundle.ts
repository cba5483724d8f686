// Bundles the files for browsers, of the dashboard and of the widget for other pages: no build before the start of the
// service. bundle-cache.ts keeps the result.
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { type Asset, makeAsset } from '../frame/assets.ts';

export interface Bundle {
  /** By name in the address; the name changes with the content. */
  assets: ReadonlyMap<string, Asset>;
  script: string;
  style: string;
  /** The script of the browser's audio thread. */
  worklet: string;
  /** The script's static imports: the page names them, so that the browser loads them in parallel. */
  imports: readonly string[];
  /** The script that pages of others include. It is one file, and knows where the worklet is: `widget/NAME`. */
  widget: Asset;
}

const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
};

export interface MadeBundle {
  bundle: Bundle;
  /** Everything that it was made of, as paths from the project's folder. */
  sources: readonly string[];
}

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const SHARED = {
  absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
  bundle: true,
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  write: false,
  metafile: true,
  legalComments: 'none',
  logLevel: 'silent',
} as const;

/** @throws if esbuild has no binary for this platform, or the code does not compile */
export async function bundleDashboard(): Promise<MadeBundle> {
  const { build, stop } = await import('esbuild');
  try {
    const dashboard = { ...SHARED, outdir: 'dashboard', entryNames: '[name]-[hash]', format: 'esm' } as const;
    // One file: pages of other origins load it too, and find nothing beside it.
    const audio = await build({ ...dashboard, entryPoints: { worklet: fileOf('app/audio/worklet.ts') } });
    const { outputFiles, metafile } = await build({
      ...dashboard,
      entryPoints: { app: fileOf('app/main.tsx') },
      chunkNames: '[name]-[hash]',
      assetNames: '[name]-[hash]',
      loader: { '.woff2': 'file' },
      splitting: true,
    });
    const assets = new Map<string, Asset>();
    await Promise.all(
      [...outputFiles, ...audio.outputFiles].map(async ({ path, contents }) => {
        const type = TYPES[extname(path).slice(1)] ?? 'application/octet-stream';
        assets.set(basename(path), await makeAsset(type, Buffer.from(contents)));
      }),
    );
    const named = (start: string, end: string): string => {
      const name = [...assets.keys()].find((each) => each.startsWith(`${start}-`) && each.endsWith(end));
      if (name === undefined) throw new Error(`the dashboard's bundle has no ${start}${end}`);
      return name;
    };
    const script = named('app', '.js');
    const worklet = named('worklet', '.js');
    const widget = await build({
      ...SHARED,
      entryPoints: [fileOf('app/widget/main.ts')],
      outdir: 'widget',
      format: 'iife',
      define: { WORKLET: JSON.stringify(`widget/${worklet}`) },
    });
    return {
      bundle: {
        assets,
        script,
        style: named('app', '.css'),
        worklet,
        imports: importsOf(metafile, script),
        widget: await makeAsset(TYPES.js ?? '', Buffer.from(widget.outputFiles[0]?.contents ?? [])),
      },
      sources: [...new Set([metafile, audio.metafile, widget.metafile].flatMap(({ inputs }) => Object.keys(inputs)))],
    };
  } finally {
    // Without it, esbuild's process would run as long as ours.
    await stop();
  }
}

/** All direct and indirect static imports of `script`, without dynamic ones. */
function importsOf({ outputs }: Metafile, script: string): string[] {
  const found = new Set<string>();
  const walk = (name: string): void => {
    for (const { path, kind } of outputs[`dashboard/${name}`]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(basename(path))) continue;
      found.add(basename(path));
      walk(basename(path));
    }
  };
  walk(script);
  return [...found];
}
