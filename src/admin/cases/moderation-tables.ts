import { type CreatorTables } from '../../creators/tables.js';
import { type GalleryTables } from '../../gallery/tables.js';
import { type GenerationTables } from '../../generation/tables.js';
import { type IdentityTables } from '../../identity/tables.js';
import { type PaymentTables } from '../../payments/tables.js';
import { type RevenueTables } from '../../revenue/tables.js';

/** The tables of other contexts that a case is read from. They are changed by their contexts' commands only. */
export type CaseTables = GenerationTables &
  GalleryTables &
  CreatorTables &
  IdentityTables &
  RevenueTables &
  PaymentTables;
