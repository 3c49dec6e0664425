import { Module } from '@nestjs/common';
import { PersonalDataController } from './http/personal-data.controller.js';
import { PersonalArchive } from './personal-archive.js';

/** The export of everything about one person, for that person. */
@Module({ controllers: [PersonalDataController], providers: [PersonalArchive] })
export class PersonalDataModule {}
