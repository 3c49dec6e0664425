import { adminMigrations } from '../admin/migrations.js';
import { auditMigrations } from '../audit/migrations.js';
import { closingMigrations } from '../privacy/closing/migrations.js';
import { creatorMigrations } from '../creators/migrations.js';
import { creditMigrations } from '../credits/migrations.js';
import { financeMigrations } from '../finance/migrations.js';
import { galleryMigrations } from '../gallery/migrations.js';
import { generationMigrations } from '../generation/migrations.js';
import { identityMigrations } from '../identity/migrations.js';
import { paymentMigrations } from '../payments/migrations.js';
import { actMigrations } from '../platform/acts/migrations.js';
import { type Migrations } from '../platform/database/database.js';
import { eventStoreMigrations } from '../platform/event-store/migrations.js';
import { httpMigrations } from '../platform/http/migrations.js';
import { keyMigrations } from '../platform/keys/migrations.js';
import { leaseMigrations } from '../platform/lease-migrations.js';
import { projectionMigrations } from '../platform/projections/migrations.js';
import { revenueMigrations } from '../revenue/migrations.js';

/** Every migration of the product; their names say the order. */
export const migrations: Migrations = {
  ...eventStoreMigrations,
  ...projectionMigrations,
  ...httpMigrations,
  ...actMigrations,
  ...keyMigrations,
  ...leaseMigrations,
  ...identityMigrations,
  ...creditMigrations,
  ...creatorMigrations,
  ...generationMigrations,
  ...galleryMigrations,
  ...paymentMigrations,
  ...revenueMigrations,
  ...financeMigrations,
  ...auditMigrations,
  ...closingMigrations,
  ...adminMigrations,
};
