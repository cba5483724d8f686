// The knowledge for callers' questions: services, answers, policies.
import * as LIMITS from '../../api-limits.ts';
import type { Form } from '../../form.ts';
import { TextArea } from '../../ui/fields/field.tsx';
import { Card } from '../../ui/layout.tsx';
import { Rows } from '../../ui/rows.tsx';
import { t } from '../../words/words.ts';
import type { BusinessValues } from './business-form.ts';
import { QuestionFields, ServiceFields } from './knowledge-fields.tsx';
import { FaqsProposal, ServicesProposal } from './proposals.tsx';

interface PartProps {
  businessId: string;
  form: Form<BusinessValues>;
}

export function KnowledgeTab(props: PartProps) {
  return (
    <>
      <ServicesCard {...props} />
      <FaqsCard {...props} />
      <PoliciesCard form={props.form} />
    </>
  );
}

function ServicesCard({ businessId, form }: PartProps) {
  const { values, set, faultOf } = form;
  return (
    <Card title={t('Services')} actions={<ServicesProposal businessId={businessId} form={form} />}>
      <p class="small soft">
        {t('The recogniser expects the names. Minutes decide how long an appointment takes, 30 where none are given.')}
      </p>
      <Rows
        items={values.services}
        onChange={(services) => set('services', services)}
        fresh={() => ({ name: '', duration: null, price: null })}
        itemName={t('service')}
        addText={t('Add a service')}
        empty={t('None yet.')}
      >
        {(service, index, change) => (
          <ServiceFields
            value={service}
            path={`services[${index}]`}
            faultOf={faultOf}
            onChange={change}
            currency={values.currency}
          />
        )}
      </Rows>
    </Card>
  );
}

function FaqsCard({ businessId, form }: PartProps) {
  const { values, set, faultOf } = form;
  return (
    <Card title={t('Questions and answers')} actions={<FaqsProposal businessId={businessId} form={form} />}>
      <p class="small soft">{t("The receptionist gives the answer where the caller's words match the question.")}</p>
      <Rows
        items={values.faqs}
        onChange={(faqs) => set('faqs', faqs)}
        fresh={() => ({ question: '', answer: '' })}
        itemName={t('question')}
        addText={t('Add a question')}
        empty={t('None yet.')}
      >
        {(faq, index, change) => (
          <div class="stack tight">
            <QuestionFields value={faq} path={`faqs[${index}]`} faultOf={faultOf} onChange={change} />
          </div>
        )}
      </Rows>
    </Card>
  );
}

function PoliciesCard({ form }: { form: Form<BusinessValues> }) {
  const { values, set, faultOf } = form;
  return (
    <Card title={t('Policies')}>
      <p class="small soft">
        {t(
          'Rules that a language model keeps to, and that the receptionist answers from: a sentence each. Those written as JSON objects stay so; with a title and a text, the receptionist goes by the title.',
        )}
      </p>
      <Rows
        items={values.policies}
        onChange={(policies) => set('policies', policies)}
        fresh={() => ({ isJson: false, text: '' })}
        itemName={t('policy')}
        addText={t('Add a policy')}
        empty={t('None yet.')}
      >
        {(policy, index, change) => (
          <TextArea
            label={policy.isJson ? t('Policy, as JSON') : t('Policy')}
            fault={faultOf(`policies[${index}]`, true)}
            value={policy.text}
            onChange={(text) => change({ text })}
            rows={2}
            limits={LIMITS.CreateBusinessBody.policies.items}
          />
        )}
      </Rows>
    </Card>
  );
}
