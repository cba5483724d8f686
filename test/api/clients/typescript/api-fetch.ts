// A fetch that asks an API in the process.
import type { TestApi } from '../../../../bench/rig/api/api.ts';

export const apiFetch = (api: Pick<TestApi, 'app'>): typeof fetch =>
  (async (url: string, init: RequestInit) => {
    // As fetch itself would send it, with the type and the boundary of a form.
    const request = new Request(url, init);
    const { pathname, search } = new URL(url);
    const payload = Buffer.from(await request.arrayBuffer());
    const answer = await api.app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      ...(payload.length === 0 ? {} : { payload }),
    });
    const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(answer.rawPayload.length === 0 ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers,
    });
  }) as typeof fetch;
