// Warnings: minutes that run out, disabled webhooks, trunks that are down.
import type { ComponentChildren } from 'preact';
import { trunkFault } from '../../../../../db/domain/trunk-state.ts';
import type { Account, Trunk, Webhook } from '../../api-types.ts';
import { formatDate, formatMinutes, formatNumber } from '../../format.ts';
import { link } from '../../router.ts';
import { session } from '../../session.ts';
import { Notice } from '../../ui/layout.tsx';
import { useApi } from '../../use-api.ts';
import { Linked } from '../../words/linked.tsx';
import { t } from '../../words/words.ts';

const NEARLY_USED = 0.8;
const ALL = { query: { limit: 100 } } as const;

export function Attention({ account }: { account: Account }) {
  const isAdmin = session.value?.user.role === 'ADMIN';
  const webhooks = useApi('listWebhooks', ALL).answer?.data ?? [];
  const trunks = useApi('listTrunks', isAdmin ? ALL : null).answer?.data ?? [];
  const matters = [...minutesMatter(account), ...webhooks.flatMap(webhookMatter), ...trunks.flatMap(trunkMatter)];
  if (matters.length === 0) return null;
  return <div class="stack tight">{matters}</div>;
}

const matter = (key: string, children: ComponentChildren) => (
  <Notice tone="warn" key={key}>
    {children}
  </Notice>
);

function minutesMatter({ minutes: { used, limit, resetsAt }, overageEnabled }: Account) {
  if (limit === null || used < limit * NEARLY_USED) return [];
  return [
    matter(
      'minutes',
      <span>
        {t('{used} of {limit} minutes of this month are used; they begin again on {date}.', {
          used: formatMinutes(used),
          limit: formatNumber(limit),
          date: formatDate(resetsAt),
        })}{' '}
        {!overageEnabled && `${t('Without minutes no call is placed; callers are answered all the same.')} `}
        <a href={link('/billing')}>{t('Billing')}</a>
      </span>,
    ),
  ];
}

function webhookMatter({ id, url, disabledReason }: Webhook) {
  if (disabledReason === null) return [];
  return [
    matter(
      id,
      <span>
        <Linked
          text={
            disabledReason === 'gone'
              ? t('The webhook [{url}] was switched off: its address answered that it is gone.', { url })
              : t('The webhook [{url}] was switched off: it failed for five days.', { url })
          }
          to={[link(`/webhooks/${id}`)]}
        />
      </span>,
    ),
  ];
}

function trunkMatter({ id, name, health, registration }: Trunk) {
  const fault = trunkFault(registration.state, health.state);
  if (fault === null) return [];
  return [
    matter(
      id,
      <span>
        <Linked
          text={
            fault === 'silent'
              ? t('The trunk [{name}] does not answer: calls through it fail.', { name })
              : t('The trunk [{name}] could not be registered: calls through it fail.', { name })
          }
          to={[link(`/admin/trunks/${id}`)]}
        />
      </span>,
    ),
  ];
}
