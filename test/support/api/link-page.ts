// A browser for the pages of mailed links: runs a page's served script against the API itself.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import type { TestApi } from '../../../bench/rig/api/api.ts';

interface PageElement {
  textContent: string;
  className: string;
  value: string;
  hidden: boolean;
  disabled: boolean;
  addEventListener(type: string, listener: (event: { preventDefault(): void }) => unknown): void;
}

interface Visit {
  text: string;
  className: string;
  /** The address that remains in the history. */
  left: string;
  element(id: string): PageElement;
  submit(values: Record<string, string>): Promise<Visit>;
}

const partOf = (page: string, tag: string): string => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';

/** Opens `path`, runs the script, and resolves when it has finished. */
export async function visit(api: TestApi, path: string, { isDown = false } = {}): Promise<Visit> {
  const { pathname, search } = new URL(path, 'https://voice.example.com');
  const page = (await api.inject({ url: path })).text;
  const elements = new Map<string, PageElement>();
  let onSubmit: ((event: { preventDefault(): void }) => unknown) | null = null;
  let left = path;
  const element = (id: string): PageElement => {
    assert.ok(page.includes(`id="${id}"`), `the page has no element ${id}`);
    const known = elements.get(id) ?? {
      textContent: '',
      className: '',
      value: '',
      hidden: false,
      disabled: false,
      addEventListener: (_type, listener) => {
        onSubmit = listener;
      },
    };
    elements.set(id, known);
    return known;
  };
  const seen = (): Visit => {
    const { textContent: text, className } = element('result');
    return { text, className, left, element, submit };
  };
  const submit = async (values: Record<string, string>): Promise<Visit> => {
    for (const [id, value] of Object.entries(values)) element(id).value = value;
    assert.ok(onSubmit, 'the page has no form');
    let isKept = false;
    await onSubmit({ preventDefault: () => (isKept = true) });
    assert.ok(isKept, 'the form left the page');
    return seen();
  };
  await runInNewContext(partOf(page, 'script'), {
    document: { getElementById: element },
    location: { pathname, search },
    history: { replaceState: (_state: null, _title: string, address: string) => (left = address) },
    URLSearchParams,
    fetch: async (
      address: string,
      { method, headers, body }: { method: 'POST'; headers: Record<string, string>; body: string },
    ) => {
      if (isDown) throw new TypeError('fetch failed');
      const url = new URL(address, `https://voice.example.com${pathname}`).pathname;
      const answer = await api.inject({ method, url, headers, payload: body });
      return { ok: answer.status < 300, json: async () => answer.json };
    },
  });
  return seen();
}

/** Checks that the page runs only its own script and does not leak its address. */
export async function assertSealedPage(api: TestApi, path: string): Promise<void> {
  const { text, headers, status } = await api.inject({ url: `${path}?token="><script>alert(1)</script>` });
  assert.equal(status, 200);
  assert.doesNotMatch(text, /alert/);
  const policy = String(headers['content-security-policy']);
  for (const [tag, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const hash = createHash('sha256').update(partOf(text, tag)).digest('base64');
    assert.ok(policy.includes(`${directive} 'sha256-${hash}'`), directive);
  }
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(partOf(text, 'style'), /url\(/, 'it would load what its policy forbids');
  assert.doesNotMatch(policy, /unsafe/);
  assert.deepEqual([headers['referrer-policy'], headers['cache-control']], ['no-referrer', 'no-store']);
}
