"""Ends at once: a module is missing."""
import a_module_that_nobody_has
