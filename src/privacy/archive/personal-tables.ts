import { type Kysely } from 'kysely';
import { type CreatorTables } from '../../creators/tables.js';
import { type FinanceTables } from '../../finance/tables.js';
import { type GalleryTables } from '../../gallery/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { type IdentityTables } from '../../identity/tables.js';
import { type PaymentTables } from '../../payments/tables.js';
import { type RevenueTables } from '../../revenue/tables.js';

/** The tables of all contexts that hold data of a person. */
export type PersonalTables = Kysely<
  IdentityTables & CreatorTables & GenerationTables & GalleryTables & PaymentTables & RevenueTables & FinanceTables
>;

/** Rows in memory at a time. */
export const ROWS_PER_READ = 200;
