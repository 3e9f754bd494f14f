#!/usr/bin/env python3
"""Prints the targets of the package for `.ci/apple`, in the order in which they can be compiled:

targets.py SYSTEM < MANIFEST   where the manifest is what `swift package dump-package` prints

minimum VERSION                        the oldest version of the system that the package declares
target NAME FOLDER DEPENDENCIES FLAGS  a target; its dependencies are separated by commas, or `-`
embedded NAME PROPERTIES               the names under which its code has files; `-` for none

For macOS, these are all targets under `Sources` and `Generated`; for the other systems, those of the
libraries, and all generated clients. Without the plugins, which are not made of modules, and `telex-bench`.
"""
import json
import re
import sys

system = sys.argv[1]
package = json.load(sys.stdin)
targets = {target['name']: target for target in package['targets']}


def folder(target):
    return target.get('path') or 'Sources/' + target['name']


def dependencies(target):
    names = [next(iter(each.values()))[0] for each in target['dependencies']]
    return [name for name in names if name in targets]


def is_embedding(target):
    return any(embedded(target))


def embedded(target):
    """The names that SwiftPM gives to the files that it makes code of."""
    for resource in target['resources']:
        if 'embedInCode' in resource['rule']:
            yield re.sub(r'[^A-Za-z0-9]', '_', resource['path'].split('/')[-1])


def flags(target):
    kinds = {'enableUpcomingFeature': '-enable-upcoming-feature',
             'enableExperimentalFeature': '-enable-experimental-feature'}
    for setting in target['settings']:
        (kind, value), = setting['kind'].items()
        if kind in kinds:
            yield kinds[kind]
            yield value['_0']


def roots():
    for target in targets.values():
        is_built = target['type'] in ('regular', 'executable') and not is_embedding(target)
        if is_built and (system == 'macos' and folder(target).startswith('Sources/')
                         or folder(target).startswith('Generated/')):
            yield target['name']
    for product in package['products']:
        if 'library' in product['type']:
            yield from product['targets']


done = set()


def visit(name):
    target = targets[name]
    if name in done:
        return
    done.add(name)
    for other in dependencies(target):
        visit(other)
    if target['type'] in ('regular', 'executable'):
        print('embedded', name, ' '.join(embedded(target)) or '-')
        print('target', name, folder(target), ','.join(dependencies(target)) or '-', *flags(target))


print('minimum', next(each['version'] for each in package['platforms']
                      if each['platformName'] == system))
for name in roots():
    visit(name)
