// The second step: what the site says, to be looked at and changed before it becomes a business. Beside each fact
// stand the words that say it.

import * as LIMITS from '../../api-limits.ts';
import type { Business, Site } from '../../api-types.ts';
import { call } from '../../client.ts';
import { type Form, useForm } from '../../form.ts';
import { formatCountry } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { TimeZoneField } from '../../ui/fields/time-zone-field.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { SubmitForm } from '../../ui/submit-form.tsx';
import { t, words } from '../../words/words.ts';
import { HoursEditor } from '../businesses/hours-editor.tsx';
import { QuestionFields, ServiceFields } from '../businesses/knowledge-fields.tsx';
import { bodyOf, type FactQuestion, type FactService, type FactValues, factsOf, sourceOf } from './facts.ts';
import { Said } from './said.tsx';

const SHOWN = ['name', 'industry', 'timezone', 'currency', 'phone', 'email', 'address', 'hours', 'services', 'faqs'];

interface FactsStepProps {
  site: Site | null;
  saved: Business | null;
  onSaved: (business: Business) => Promise<void>;
  onSkip: () => void;
}

export function FactsStep({ site, saved, onSaved, onSkip }: FactsStepProps) {
  const form = useForm(factsOf(site, saved), async ({ values }) => {
    const body = bodyOf(values, site?.extracted.description);
    const { data } =
      saved === null
        ? await call('createBusiness', { body })
        : await call('updateBusiness', { params: { id: saved.id }, body });
    await onSaved(data);
  });
  return (
    <SubmitForm
      form={form}
      shown={SHOWN}
      send={t('Yes, that is right')}
      beside={
        <Button look="plain" onClick={onSkip}>
          {t('Skip for now')}
        </Button>
      }
    >
      {site !== null && <ReadNotice site={site} />}
      <UnreadLines site={site} />
      <AboutCard form={form} site={site} />
      <HoursEditor
        hours={form.values.hours}
        timezone={form.values.timezone}
        onChange={(hours) => form.set('hours', hours)}
        faultOf={form.faultOf}
      >
        <HoursSaid site={site} />
      </HoursEditor>
      <ServicesCard form={form} />
      <QuestionsCard form={form} />
    </SubmitForm>
  );
}

const PAGE_KINDS = {
  start: words('start'),
  hours: words('opening hours'),
  prices: words('prices'),
  contact: words('contact'),
  questions: words('questions'),
};

function ReadNotice({ site: { pages, extracted, country } }: { site: Site }) {
  const isEmpty = Object.keys(extracted).length === 0;
  return (
    <Notice tone={isEmpty ? 'warn' : 'neutral'}>
      <span>
        {pages.length === 1 ? t('One page was read:') : t('{count} pages were read:', { count: pages.length })}{' '}
        {pages.map(({ kind }) => t(PAGE_KINDS[kind ?? 'start'])).join(', ')}.{' '}
        {isEmpty
          ? t('Nothing on them could be used: please type it in.')
          : t('Change what is wrong, add what is missing. What no page says is not here.')}{' '}
        {country !== null &&
          t('Telephone numbers without a country code were taken for numbers of this country: {country}.', {
            country: formatCountry(country),
          })}
      </span>
    </Notice>
  );
}

function UnreadLines({ site }: { site: Site | null }) {
  if (site === null || site.unread.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>{t('Seen, not understood: add what is missing.')}</strong>
      {site.unread.map((line) => (
        <Said key={line.text} source={{ ...line, by: 'text' }} />
      ))}
    </Notice>
  );
}

interface PartProps {
  form: Form<FactValues>;
}

function AboutCard({ form, site }: PartProps & { site: Site | null }) {
  const { field } = form;
  const said = (name: string) => <Said source={sourceOf(site, name)} />;
  return (
    <Card title={t('About you')}>
      <div class="columns">
        <TextField
          label={t('Name')}
          hint={said('name')}
          {...field('name')}
          limits={LIMITS.CreateBusinessBody.name}
          required
        />
        <TextField
          label={t('Trade')}
          hint={t('As a caller would name it: hair salon, dentist, bakery')}
          {...field('industry')}
          limits={LIMITS.CreateBusinessBody.industry}
          required
        />
        <TextField
          label={t('Telephone')}
          type="tel"
          hint={said('phone')}
          {...field('phone')}
          placeholder="+44 20 7946 0123"
        />
        <TextField
          label={t('E-mail address')}
          type="email"
          hint={said('email')}
          {...field('email')}
          limits={LIMITS.CreateBusinessBody.email}
        />
        <TextField
          label={t('Address')}
          hint={
            <>
              {said('address')}
              <Doubts site={site} of="address" text={t('The pages name several addresses:')} />
            </>
          }
          {...field('address')}
          limits={LIMITS.CreateBusinessBody.address}
        />
        <TimeZoneField label={t('Time zone')} hint={t('Opening hours are in it.')} {...field('timezone')} required />
        <TextField
          label={t('Currency')}
          hint={t('Of your prices, e.g. EUR. Empty: that of the country.')}
          {...field('currency')}
          limits={LIMITS.CreateBusinessBody.currency}
        />
      </div>
    </Card>
  );
}

function HoursSaid({ site }: { site: Site | null }) {
  const said = new Map(
    (site?.sources ?? []).filter(({ field }) => field.startsWith('hours[')).map((source) => [source.text, source]),
  );
  return (
    <>
      {said.size > 0 && (
        <div class="stack tight">
          {[...said.values()].map((source) => (
            <Said key={source.text} source={source} />
          ))}
        </div>
      )}
      <Doubts site={site} of="hours" text={t('The pages say different hours, so that you must choose:')} />
    </>
  );
}

function Doubts({ site, of, text }: { site: Site | null; of: 'hours' | 'address'; text: string }) {
  const doubts = (site?.doubts ?? []).filter(({ field }) => field === of);
  if (doubts.length === 0) return null;
  return (
    <Notice tone="warn">
      <strong>{text}</strong>
      {doubts.map((doubt) => (
        <Said key={doubt.text} source={{ ...doubt, by: 'text' }} />
      ))}
    </Notice>
  );
}

function ServicesCard({ form }: PartProps) {
  const { values, set, faultOf } = form;
  return (
    <Card title={t('Services and prices')}>
      <Rows
        items={values.services}
        onChange={(services) => set('services', services)}
        fresh={(): FactService => ({ name: '', duration: null, price: null })}
        itemName={t('service')}
        addText={t('Add a service')}
        empty={t('None was found. Callers ask for them: add the most usual ones.')}
      >
        {(service, index, change) => (
          <div class="stack tight">
            <ServiceFields value={service} path={`services[${index}]`} faultOf={faultOf} onChange={change} />
            <Said source={service.source} />
          </div>
        )}
      </Rows>
    </Card>
  );
}

function QuestionsCard({ form }: PartProps) {
  const { values, set, faultOf } = form;
  return (
    <Card title={t('Answers')}>
      <Rows
        items={values.faqs}
        onChange={(faqs) => set('faqs', faqs)}
        fresh={(): FactQuestion => ({ question: '', answer: '' })}
        itemName={t('question')}
        addText={t('Add a question')}
        empty={t('None was found. Add what callers ask most: parking, payment, cancelling.')}
      >
        {(faq, index, change) => (
          <div class="stack tight">
            <QuestionFields value={faq} path={`faqs[${index}]`} faultOf={faultOf} onChange={change} />
            <Said source={faq.source} />
          </div>
        )}
      </Rows>
    </Card>
  );
}
