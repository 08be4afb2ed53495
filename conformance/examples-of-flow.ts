/** Examples of how tasks follow each other: conditions, loops, forks, errors, waits, schedules. */
import { event, type Examples, put, type Take } from './examples-case.ts';
import { NO_PET, petOf, SHY_PET } from './examples-hosts.ts';

const PET = 'https://petstore.swagger.io/v2/pet';
const BET = 'https://superbet-casinos.com/api/bet/on/football';

/** Bare, these are no expressions, but texts. */
const BET_BODY = { customer: '.customer', bet: '.bet' };

const NOT_IMPLEMENTED: Take['ends'] = {
  error: {
    type: 'https://serverlessworkflow.io/errors/not-implemented',
    status: 500,
    title: 'Not Implemented',
    detail:
      "The workflow 'raise-not-implemented:0.1.0' is a work in progress and cannot be run yet",
    instance: '/do/0/notImplemented',
  },
};

/** Twice it is not there, and the third time, after three seconds and six, it is. */
const RETRIED: Take = {
  input: { petId: SHY_PET },
  seconds: 9,
  ends: { output: petOf(SHY_PET) },
  asks: [`GET ${PET}/${SHY_PET}`, `GET ${PET}/${SHY_PET}`, `GET ${PET}/${SHY_PET}`],
};

const MISSING = {
  type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
  status: 404,
  title: 'Not Found',
  detail: /Pet not found/,
  instance: '/do/0/tryGetPet/try/0/getPet',
};

export const ERRORS: Examples = {
  'raise-inline.yaml': { rows: ['RA-01', 'RA-04'], takes: [{ ends: NOT_IMPLEMENTED }] },
  'raise-reusable.yaml': { rows: ['RA-03', 'RA-04'], takes: [{ ends: NOT_IMPLEMENTED }] },
  'try-catch.yaml': {
    rows: ['TR-01', 'TR-14'],
    takes: [
      {
        about: 'a pet that is not there',
        input: { petId: NO_PET },
        ends: { output: { petId: NO_PET } },
        asks: [`GET ${PET}/${NO_PET}`],
      },
      {
        about: 'a pet that is there',
        input: { petId: 1 },
        ends: { output: petOf(1) },
        asks: [`GET ${PET}/1`],
      },
    ],
  },
  'try-catch-then.yaml': {
    rows: ['TR-10', 'TR-11', 'TR-13', 'DF-24'],
    takes: [
      {
        about: 'a pet that is not there; what it sets is a text, and what it exports the error',
        input: { petId: NO_PET },
        ends: { output: { error: '$error' } },
        asks: [`GET ${PET}/${NO_PET}`],
        sends: [
          {
            specversion: '1.0',
            id: /./,
            source: 'https://petstore.swagger.io',
            type: 'io.swagger.petstore.events.pets.not-found.v1',
            time: /^2026-/,
            datacontenttype: 'application/json',
            data: MISSING,
          },
        ],
      },
      {
        about: 'a pet that is there',
        input: { petId: 1 },
        ends: { output: { ...petOf(1), status: 'sold' } },
        asks: [`GET ${PET}/1`, `PUT ${PET}/`],
      },
    ],
  },
  'try-catch-then-directive.yaml': {
    rows: ['TR-06', 'TR-17'],
    takes: [
      {
        ends: { output: { status: 'failed' } },
        asks: ['GET https://external-service.example.com/api'],
      },
    ],
  },
  'try-catch-retry-inline.yaml': { rows: ['TR-18', 'TR-19', 'TR-20', 'TR-28'], takes: [RETRIED] },
  'try-catch-retry-reusable.yaml': { rows: ['TR-18', 'TR-19', 'TR-20', 'TR-28'], takes: [RETRIED] },
};

const PATIENT = { patient: { fullName: 'John Doe' }, room: { number: 7 } };
const ALARM = { patientId: 'John Doe', room: 7 };
const CHECKUP = 'com.fake.petclinic.pets.checkup.completed.v2';
const PETS = { vet: 'Dr. Doolittle', pets: [{ id: 1 }, { id: 2 }] };

const twoCheckups: Take['meanwhile'] = async ({ publish }) => {
  await publish(event('1', CHECKUP, { pet: 1 }));
  await publish(event('2', CHECKUP, { pet: 2 }));
};

export const CONTROL: Examples = {
  'conditional-task.yaml': {
    rows: ['FL-13'],
    takes: [
      {
        about: 'who is of age places a bet',
        input: { customer: { age: 18 }, bet: 10 },
        ends: { output: { bet: 'placed', came: BET_BODY } },
        asks: [{ ask: `POST ${BET}`, body: BET_BODY }],
      },
      {
        about: 'who is not does not',
        input: { customer: { age: 17 }, bet: 10 },
        ends: {
          error: {
            type: 'https://superbet-casinos.com/customer/access-forbidden',
            status: 400,
            title: 'Access Forbidden',
            instance: '/do/0/raiseErrorIfUnderage',
          },
        },
      },
    ],
  },
  'for-inline-array.yaml': {
    rows: ['FO-02'],
    takes: [
      {
        ends: {
          output: {
            processed: [
              { name: 'red', hex: '#FF0000' },
              { name: 'green', hex: '#00FF00' },
              { name: 'blue', hex: '#0000FF' },
            ],
          },
        },
      },
    ],
  },
  'for.yaml': {
    rows: ['FO-01', 'FO-07'],
    takes: [
      {
        about: 'what a listener heard is a list (A-23), and a list has no .pets',
        input: PETS,
        meanwhile: async ({ publish }) => publish(event('1', CHECKUP, { pet: 1 })),
        ends: {
          error: {
            type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
            status: 400,
            title: /./,
            detail: /Cannot index array with string/,
            instance: '/do/0/checkup/do/0/waitForCheckup',
          },
        },
      },
      {
        about: 'with its output made of its input',
        input: PETS,
        text: (text) =>
          put(text, `'.pets + [{ "id": $pet.id }]'`, `'$input + { seen: [$input.seen[]?, $pet] }'`),
        meanwhile: twoCheckups,
        ends: { output: { ...PETS, seen: [{ id: 1 }, { id: 2 }] } },
      },
      {
        about: 'without a vet',
        input: { pets: [{ id: 1 }] },
        ends: { output: { pets: [{ id: 1 }] } },
      },
    ],
  },
  'fork.yaml': {
    rows: ['FK-03'],
    takes: [
      {
        about: 'the nurse is first; whether the doctor was rung before that is chance',
        input: PATIENT,
        ends: { output: { alerted: 'nurse', for: ALARM } },
        asks: 'whatever',
      },
    ],
  },
  'switch-then-string.yaml': {
    rows: ['SI-01', 'SI-02', 'FL-06'],
    takes: [
      {
        about: 'electronic',
        input: { orderType: 'electronic' },
        ends: { output: { validate: true, status: 'fulfilled' } },
      },
      {
        about: 'physical',
        input: { orderType: 'physical' },
        ends: { output: { inventory: 'clear', items: 1, address: 'Elmer St' } },
      },
      {
        about: 'neither',
        input: { orderType: 'by pigeon' },
        ends: { output: { log: 'warn', message: "something's wrong" } },
      },
    ],
  },
  'wait-duration-inline.yaml': {
    rows: ['WA-01', 'WA-04', 'WA-05'],
    takes: [{ input: { kept: true }, seconds: 30, ends: { output: { kept: true } } }],
  },
  'wait-duration-iso8601.yaml': {
    rows: ['WA-02', 'WA-04', 'WA-05'],
    takes: [{ input: { kept: true }, seconds: 30, ends: { output: { kept: true } } }],
  },
};
