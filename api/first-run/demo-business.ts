// The business of the demo number, with answers to the usual questions of a first call.
import { WEEKDAYS } from '../../db/domain/hours/weekdays.ts';

export const demoAgent = {
  name: 'Sam',
  description: 'The receptionist of the demo studio',
  language: 'en-US',
  primaryLanguage: 'en',
};

export const demoBusiness = {
  name: 'Willow Hair Studio',
  industry: 'hair salon',
  description: 'A hair studio for cuts, colour and styling, in the middle of town.',
  timezone: 'America/New_York',
  address: '12 Willow Street, Washington, DC 20001',
  email: 'hello@willow.example',
  hours: [
    ...WEEKDAYS.slice(0, 5).map((day) => ({ day, open: '09:00', close: '18:00' })),
    { day: 'saturday', open: '10:00', close: '16:00' },
  ],
  services: [
    { name: 'Haircut', duration: 45, price: 55 },
    { name: "Men's haircut", duration: 30, price: 38 },
    { name: "Children's haircut", duration: 30, price: 28 },
    { name: 'Wash and blow dry', duration: 40, price: 42 },
    { name: 'Full colour', duration: 120, price: 130 },
    { name: 'Highlights', duration: 150, price: 165 },
    { name: 'Beard trim', duration: 20, price: 22 },
  ],
  faqs: [
    { question: 'Where are you located?', answer: 'We are at 12 Willow Street, two minutes from the central station.' },
    { question: 'Is there parking?', answer: 'Yes, there is free parking behind the building, for up to two hours.' },
    {
      question: 'Do I need an appointment?',
      answer: 'Walk-ins are welcome, but with an appointment you do not have to wait.',
    },
    { question: 'How can I pay?', answer: 'We take cash and all common cards.' },
    {
      question: 'How do I cancel or move an appointment?',
      answer: 'Call us until the evening before, and it costs nothing.',
    },
    {
      question: 'Are you wheelchair accessible?',
      answer: 'Yes, the entrance has no step and the rest room is accessible.',
    },
    { question: 'Do you sell gift cards?', answer: 'Yes, gift cards of any amount, at the front desk.' },
    { question: 'Which products do you use?', answer: 'We use vegan products that are free of sulphates.' },
    { question: 'Do you cut curly hair?', answer: 'Yes, two of our stylists are trained for curly hair.' },
  ],
  policies: [
    'Appointments that are cancelled less than three hours ahead are charged at half price.',
    'A patch test is needed two days before a first colour.',
  ],
  systemPrompt:
    'You are the receptionist of Willow Hair Studio. Be warm and brief. Answer questions from what you know of the ' +
    'studio, and offer to book an appointment when it fits.',
  greetingTemplate: 'Thank you for calling Willow Hair Studio, this is Sam. How can I help you?',
  fallbackMessage: 'I am sorry, I cannot help with that at the moment.',
};

/** A number from the range reserved for fiction. */
export const DEMO_NUMBER = { phoneNumber: '+12025550100', country: 'US', areaCode: '202' };
