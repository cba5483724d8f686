// Services and answers proposed by the service. The user reviews them first; accepted ones are added to the form and
// saved with it, because a second request to a model would propose others.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../../client.ts';
import type { Form } from '../../form.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { attempt, say } from '../../ui/toast.tsx';
import { t } from '../../words/words.ts';
import type { BusinessValues, Faq, Service } from './business-form.ts';
import { newFaqs, newServices } from './taken-over.ts';

interface PartProps {
  businessId: string;
  form: Form<BusinessValues>;
}

const apply = false;

export function ServicesProposal({ businessId, form }: PartProps) {
  const current = form.values.services;
  return (
    <Proposal<Service>
      what={t('services')}
      ask={async () => (await call('generateServices', { params: { id: businessId }, body: { apply } })).data.services}
      fresh={(services) => newServices(current, services)}
      onTake={(services) => form.set('services', [...current, ...services])}
      show={({ name, duration, price }) => (
        <>
          {name}
          <span class="soft">
            {duration !== null && `, ${t('{minutes} min', { minutes: duration })}`}
            {price !== null && `, ${price} ${form.values.currency}`}
          </span>
        </>
      )}
    />
  );
}

export function FaqsProposal({ businessId, form }: PartProps) {
  const current = form.values.faqs;
  return (
    <Proposal<Faq>
      what={t('questions')}
      ask={async () => (await call('generateFaqs', { params: { id: businessId }, body: { apply } })).data.faqs}
      fresh={(faqs) => newFaqs(current, faqs)}
      onTake={(faqs) => form.set('faqs', [...current, ...faqs])}
      show={({ question, answer }) => (
        <>
          {question}
          <div class="small soft">{answer}</div>
        </>
      )}
    />
  );
}

function Proposal<T>({
  what,
  ask,
  fresh,
  onTake,
  show,
}: {
  what: string;
  ask: () => Promise<T[]>;
  /** The items that the business does not have. */
  fresh: (items: readonly T[]) => T[];
  onTake: (items: T[]) => void;
  show: (item: T) => ComponentChildren;
}) {
  const [items, setItems] = useState<T[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const propose = async () => {
    setBusy(true);
    await attempt(async () => setItems(await ask()));
    setBusy(false);
  };
  const added = items === null ? [] : fresh(items);
  const known = items === null ? 0 : items.length - added.length;
  return (
    <>
      <Button isSmall isBusy={isBusy} onClick={() => void propose()}>
        {isBusy ? t('Thinking …') : t('Propose {what}', { what })}
      </Button>
      {items !== null && (
        <Dialog title={t('Proposed {what}', { what })} onClose={() => setItems(null)}>
          <p class="soft">
            {t('For the saved name, industry and description.')}{' '}
            {known > 0 && t('{count} more are there already.', { count: known })}
          </p>
          {added.length === 0 ? (
            <p>{t('Nothing new.')}</p>
          ) : (
            <ul class="proposal">
              {added.map((item) => (
                <li key={JSON.stringify(item)}>{show(item)}</li>
              ))}
            </ul>
          )}
          <div class="row">
            {added.length > 0 && (
              <Button
                look="primary"
                onClick={() => {
                  onTake(added);
                  setItems(null);
                  say(t('Taken over {count} {what}. Look at them, then save.', { count: added.length, what }));
                }}
              >
                {t('Take over {count}', { count: added.length })}
              </Button>
            )}
            <Button onClick={() => setItems(null)}>{t('Cancel')}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
