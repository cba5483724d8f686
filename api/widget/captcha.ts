// The hook by which an account decides whether a visitor is a person: its own server is asked with the token that the
// page got from its captcha, and knows the captcha's secret. We do not.

import type { WidgetKeyTable, WidgetWay } from '../../db/schema/widget.ts';
import { RefusedAddress } from '../../db/shared/net/address-rules.ts';
import { FetchFailed, safeFetch } from '../../db/shared/net/safe-fetch.ts';
import type { ApiContext } from '../context.ts';
import { retryLater } from '../frame/errors.ts';
import { PlacesPerAccount } from '../threads/places-per-account.ts';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 4_096;

const places = new PlacesPerAccount({
  what: 'captchas',
  total: 64,
  perAccount: 16,
  full: () => retryLater('CAPTCHA_DOWN', 'Too many captchas are being checked', 5),
});

/** As for webhooks. */
export const captchaRules = ({ config, resolve }: Pick<ApiContext, 'config' | 'resolve'>) => ({
  schemes: ['https:'],
  allowPrivate: config.webhookAllowPrivate,
  plainToLoopback: config.webhookAllowPrivate,
  ...(resolve === undefined ? {} : { resolve }),
});

interface Asked {
  way: WidgetWay;
  token: string;
  origin: string;
  /** Of the visitor. */
  address: string;
}

/** Whether the account's server answers 2xx. @throws {ApiError} 429, 503 where it cannot be asked */
export async function passesCaptcha(
  context: ApiContext,
  { accountId, captchaUrl }: WidgetKeyTable,
  asked: Asked,
): Promise<boolean> {
  if (captchaUrl === null) return true;
  if (asked.token === '') return false;
  return places.hold(accountId, async () => {
    try {
      const { status } = await safeFetch(captchaUrl, {
        ...captchaRules(context),
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'voice-calls' },
        body: JSON.stringify(asked),
        maxBytes: ANSWER_BYTES_MAX,
        timeoutMs: TIMEOUT_MS,
      });
      if (status < 500) return status >= 200 && status < 300;
    } catch (error) {
      if (!(error instanceof FetchFailed || error instanceof RefusedAddress)) throw error;
      context.log.info({ accountId, reason: error.message }, 'a captcha could not be checked');
    }
    throw retryLater('CAPTCHA_DOWN', 'The captcha cannot be checked at the moment', 5);
  });
}
