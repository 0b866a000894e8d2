// Ways to carry an application to where it runs.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { captured, node } from '../pack/captured.mjs'
import { bareEnvironment } from '../pack/install.mjs'
import { StepFailed } from '../steps.mjs'
import { install, newApp } from './app.mjs'

export function deploymentRows(context) {
  return [{ title: 'AWS Lambda', form: 'zip, unpacked read-only', check: () => asLambda(context) }]
}

/** As a function is written there: the file is read once, the handler called many times. */
const HANDLER = `
  const { createIds } = require('mintid')
  const orders = createIds('sqlite:/tmp/' + process.env.IDS).segment('orders')
  exports.handler = async () => ({ statusCode: 201, body: await orders.nextText() })
`

/** What the runtime there does: the code is read-only, and only /tmp can be written to. */
const RUNTIME = `
  const { handler } = require(process.env.LAMBDA_TASK_ROOT + '/index.js')
  const bodies = async () => [(await handler({})).body, (await handler({})).body]
  bodies().then((told) => console.log(told.join()))
`

const PACK = ['-m', 'zipfile', '-c']
const UNPACK = ['-m', 'zipfile', '-e']

async function asLambda(context) {
  const app = await newApp(context, 'lambda')
  await install(app, context)
  await writeFile(join(app, 'index.js'), HANDLER)
  const [zip, task] = [join(app, '..', 'function.zip'), join(app, '..', 'task')]
  await captured('python3', [...PACK, zip, 'index.js', 'package.json', 'node_modules'], {
    cwd: app,
  })
  await mkdir(task)
  await captured('python3', [...UNPACK, zip, task])
  await captured('chmod', ['-R', 'a-w', task])
  const ids = `mintid-lambda-${process.pid}.db`
  const env = { ...bareEnvironment(), LAMBDA_TASK_ROOT: task, IDS: ids }
  const told = await node(['--eval', RUNTIME], { cwd: task, env })
  await captured('chmod', ['-R', 'u+w', task])
  if (told.trim() !== '1,2') throw new StepFailed(`it told ${told}`)
  return 'mints'
}
