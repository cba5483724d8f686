// A business as a dialogue knows it, for bench and tests: a dentist with hours, services and answers.
import type { DialogueBusiness } from '../../../models/llm/llm.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];

export const DENTIST: DialogueBusiness = {
  name: 'Bright Smile Dental',
  industry: 'dentist',
  description: 'A family dentist in the centre of Springfield.',
  timezone: 'America/New_York',
  address: '12 Main Street, Springfield',
  phone: '+15551234567',
  email: 'hello@brightsmile.example',
  hours: [
    ...weekdays.map((day) => ({ day, open: '09:00', close: '17:00' })),
    { day: 'saturday', open: '10:00', close: '14:00' },
  ],
  services: [
    { name: 'Dental cleaning', duration: 45, price: 120 },
    { name: 'Teeth whitening', duration: 60, price: 249.5 },
    { name: 'Root canal', duration: 90, price: null },
    { name: 'Consultation', duration: 30, price: 0 },
  ],
  currency: 'USD',
  faqs: [
    { question: 'Do you accept insurance?', answer: 'Yes, we accept all major dental insurance plans.' },
    { question: 'Is there parking?', answer: 'Yes, there is free parking behind the building.' },
    {
      question: 'What is your cancellation policy?',
      answer: 'You can cancel free of charge up to twenty four hours before your appointment.',
    },
  ],
  policies: [],
  systemPrompt: null,
  greetingTemplate: null,
  fallbackMessage: null,
  transferNumber: '+15557654321',
  businessContext: null,
};
