// Starts the service: with PORT (3000), MINTID_URL (sqlite:orders.db), FIRST_START and SHUTDOWN_HOOKS
// (on) from outside.

import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module.js'

const { PORT = '3000', SHUTDOWN_HOOKS = 'on' } = process.env

const app = await NestFactory.create(AppModule)
// Without them Nest calls nobody at SIGTERM: a machine number is then free after its lease only.
if (SHUTDOWN_HOOKS === 'on') app.enableShutdownHooks()
await app.listen(Number(PORT))
console.log(`listening on port ${new URL(await app.getUrl()).port}`)
