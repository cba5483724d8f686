// The address at which carriers tell of texts: public, and each request is signed by the carrier. Nothing of one that
// is not is kept.
import { getCarrier } from '../../db/queries/numbers/carriers.ts';
import { readText } from '../carriers/api/open.ts';
import { CarrierError } from '../carriers/carrier.ts';
import type { ApiContext } from '../context.ts';
import type { App } from '../frame/app.ts';
import { notFound, refused } from '../frame/errors.ts';
import { noteStatus, takeText } from './receive.ts';

const TYPES = ['application/x-www-form-urlencoded', 'application/json'];
/** As Twilio and Plivo want to be answered: nothing is to be said at once. */
const NOTHING_TO_SAY = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

export function registerCarrierTexts(app: App, context: ApiContext): void {
  app.register(async (scope) => {
    // As it was signed, byte by byte.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(TYPES, { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post<{ Params: { id: string } }>(
      '/carriers/:id/texts',
      { config: { public: true, bare: true }, schema: { hide: true } },
      async (request, reply) => {
        const { read, secretKey, config, now, publicUrl } = context;
        const row = await getCarrier(read, request.params.id);
        if (row === null) throw notFound('Carrier');
        const { body, headers, originalUrl } = request;
        const signed = { url: `${publicUrl()}${originalUrl}`, headers, body: String(body ?? ''), nowMs: now() };
        const event = told(() => readText(row, { secretKey, apiBase: config.carrierApiBase }, signed));
        if (event === null) throw refused('BAD_SIGNATURE', 'The carrier did not sign this request');
        if (event.type === 'received') await takeText(context, row, event);
        else if (event.type === 'status') await noteStatus(context, row, event);
        return reply.type('text/xml; charset=utf-8').send(NOTHING_TO_SAY);
      },
    );
  });
}

/** Null: the key that would prove it cannot be opened. */
function told<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof CarrierError) return null;
    throw error;
  }
}
